"""A saved web page as Markdown: its main text, as pages from the web are read."""

from __future__ import annotations

from kaozheng.errors import EncodingError, SourceError
from kaozheng.providers.fetch.html_text import main_text
from kaozheng.providers.fetch.page_encoding import decoded_page
from kaozheng.providers.readers.converted import Caps, Converted, Pages
from kaozheng.providers.readers.markdown_marks import heading
from kaozheng.sources.decoding import looks_binary
from kaozheng.sources.source import normal_lines


def read(data: bytes, caps: Caps) -> Converted:
    """See conversion.convert."""
    if looks_binary(data):
        raise SourceError("damaged or no web page (binary data)")
    try:
        title, text = main_text(normal_lines(decoded_page(data)))
    except EncodingError as error:
        raise SourceError(f"encoding not known: {error}") from error
    pages = Pages()
    if title and not text.startswith("# "):
        pages.add(heading(title, 1))
    pages.add(text)
    return pages.finished()
