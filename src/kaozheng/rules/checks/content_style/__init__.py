"""Checks of the family content style, one file each."""
