"""Migrations of the sessions' database, the newest last."""
