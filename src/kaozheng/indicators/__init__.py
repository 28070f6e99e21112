"""Indicators and what is computed from them: coverage, consistency, growth, ranks, warnings, structure, scores."""
