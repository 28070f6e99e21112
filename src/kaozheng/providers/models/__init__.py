"""Models of the outside world, one file a protocol; each turns its vendor's answers and errors into ours, once."""
