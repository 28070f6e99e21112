"""The migrations of the database of keys, one file each, in order; one that was released is never changed."""
