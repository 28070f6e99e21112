"""Rerankers over HTTP, in the dialects that are spoken."""
