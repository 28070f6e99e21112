"""All checks by their slug, listed by hand: what runs is what stands here."""

# Adding a check:
#   1. write checks/<family>/<slug_with_underscores>.py: a docstring with What / Why / Bad / Good / Fix / Settings /
#      Source, one `check(context)` generator that yields `finding(...)`, and `CHECK = Check("<slug>", ...)`;
#   2. import it below and name it in `_ALL` (one line each);
#   3. put its cases into tests/rules/cases/<slug>.yml and bind it to a rule of a book with a ```check fence.

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from kaozheng.rules.check import Check
from kaozheng.rules.checks.code_and_diagrams import fence_closed, fence_language, image_alt, table_columns
from kaozheng.rules.checks.content_style import banned_words, filler_words, sentence_length, vague_reference
from kaozheng.rules.checks.metadata_and_structure import (
    duplicate_headings,
    front_matter_keys,
    heading_end_punctuation,
    heading_increment,
    single_title,
)
from kaozheng.rules.checks.naming_and_tags import name_case, term_variants
from kaozheng.rules.checks.specific_sections import footnotes_resolve, required_sections
from kaozheng.rules.checks.typography_and_symbols import (
    ellipsis,
    full_width_digits,
    full_width_punctuation,
    han_latin_space,
    repeated_marks,
)

_ALL: tuple[Check, ...] = (
    duplicate_headings.CHECK,
    front_matter_keys.CHECK,
    heading_end_punctuation.CHECK,
    heading_increment.CHECK,
    single_title.CHECK,
    ellipsis.CHECK,
    full_width_digits.CHECK,
    full_width_punctuation.CHECK,
    han_latin_space.CHECK,
    repeated_marks.CHECK,
    fence_closed.CHECK,
    fence_language.CHECK,
    image_alt.CHECK,
    table_columns.CHECK,
    footnotes_resolve.CHECK,
    required_sections.CHECK,
    name_case.CHECK,
    term_variants.CHECK,
    banned_words.CHECK,
    filler_words.CHECK,
    sentence_length.CHECK,
    vague_reference.CHECK,
)

CHECKS: Mapping[str, Check] = MappingProxyType({check.slug: check for check in _ALL})
