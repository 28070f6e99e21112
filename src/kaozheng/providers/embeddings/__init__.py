"""Embedders, one file a vendor or protocol."""
