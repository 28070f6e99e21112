"""Owns the checks by code: a folder for each family, a file for each check."""
