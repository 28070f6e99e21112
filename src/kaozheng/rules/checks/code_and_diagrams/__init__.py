"""Checks of the family code and diagrams, one file each."""
