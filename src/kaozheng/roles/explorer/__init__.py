"""Explores a repository of code and says what it is, statement by statement, each with the lines it rests on."""
