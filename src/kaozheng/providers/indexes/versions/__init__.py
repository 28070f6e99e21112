"""The migrations of the knowledge database, one file each, in order; one that was released is never changed."""
