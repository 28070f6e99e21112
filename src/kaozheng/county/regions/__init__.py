"""Regions by name: the county-level units of a province over the years, and what a name in a table or text means."""
