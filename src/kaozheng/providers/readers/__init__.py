"""Readers of what the user gave, one file a kind of place."""
