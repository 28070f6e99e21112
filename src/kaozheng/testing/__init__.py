"""Fakes that ship with the product: they stand where a provider stands and say what a test tells them to."""
