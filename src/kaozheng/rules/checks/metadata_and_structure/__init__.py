"""Checks of the family metadata and structure, one file each."""
