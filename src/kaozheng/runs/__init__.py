"""Runs: start, resume, stop and record; the only code that executes a graph."""
