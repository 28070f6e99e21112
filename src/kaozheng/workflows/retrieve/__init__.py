"""The self-correcting loop: search, grade what came, rewrite the question, at most three times, then answer."""
