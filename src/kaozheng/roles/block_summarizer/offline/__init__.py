"""The extractive engine: the sentences of a text that carry most of it, whole and in their own words."""

from kaozheng.roles.block_summarizer.offline.extracting import extract
from kaozheng.roles.block_summarizer.offline.first_sentences import first_sentences

__all__ = ["extract", "first_sentences"]
