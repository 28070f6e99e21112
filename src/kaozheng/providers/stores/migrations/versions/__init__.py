"""One file a migration, in order; a migration that was released is never changed."""
