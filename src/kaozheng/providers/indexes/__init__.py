"""Knowledge bases on disk: chunks, what is searched of them, and who finds them again."""
