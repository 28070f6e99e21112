"""Numbers by reference: what a text may say of a number is the name of a row; code renders it."""
