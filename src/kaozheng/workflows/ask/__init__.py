"""The workflow `ask`: a question planned, given evidence, answered and checked against it."""
