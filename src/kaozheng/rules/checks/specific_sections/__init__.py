"""Checks of the family specific sections, one file each."""
