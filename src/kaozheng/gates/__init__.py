"""The six gates: what a text claims is held against rows, policies and results, and code decides what may leave."""
