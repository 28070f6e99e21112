"""Checks of the family naming and tags, one file each."""
