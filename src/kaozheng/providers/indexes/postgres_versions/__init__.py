"""The migrations of PostgreSQL's knowledge schema, one file each, in order; one that was released is never changed."""
