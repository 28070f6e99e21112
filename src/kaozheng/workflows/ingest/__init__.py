"""Documents into a knowledge base and out of it again; no graph, because the index is its ledger (decision 0046)."""
