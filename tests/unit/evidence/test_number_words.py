"""Spelled numbers are read as wholes, with their values."""

from __future__ import annotations

import pytest

from kaozheng.evidence.number_words import number_words


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("forty-two retries", [("forty-two", 42)]),
        ("Three hundred and five of two million", [("Three hundred and five", 305), ("two million", 2_000_000)]),
        ("two three", [("two", 2), ("three", 3)]),
        ("one hundred thousand", [("one hundred thousand", 100_000)]),
        ("twenty one two", [("twenty one", 21), ("two", 2)]),
        ("a hundred", [("hundred", 100)]),
        ("someone is often network-bound, tense and tone_one", []),
    ],
)
def test_each_number_with_its_value(text, numbers):
    assert [(text[span.start : span.end], value) for span, value in number_words(text)] == numbers
