"""The extractive engine: the sentences of a text that carry most of it, whole and in their own words."""

from kaozheng.roles.block_summarizer.offline.extracting import extract
from kaozheng.roles.block_summarizer.offline.reading import as_read

__all__ = ["as_read", "extract"]
