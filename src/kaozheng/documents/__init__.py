"""Owns the text of a document: its structure, its readable prose, edits to it and what edits may not lose."""
