"""Checks of the family typography and symbols, one file each."""
