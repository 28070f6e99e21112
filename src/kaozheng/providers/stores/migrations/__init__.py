"""Migrations of the journal's database, run by Alembic from `kaozheng.providers.stores.migrate`."""
