"""What the product does: each workflow is a state, a graph and its steps; `review` is the loop that others use."""
