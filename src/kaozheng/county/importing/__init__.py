"""Tables of yearbooks and bulletins as rows: a grid, a mapping that says what its cells mean, and what was refused."""
