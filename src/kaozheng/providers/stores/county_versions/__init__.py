"""Migrations of the county database, the newest last."""
