"""Code that was given: its files and their kinds, outlines with exact lines, imports, entry points, and places re-read.

Everything here is pure; `kaozheng.providers.readers.code_files` reads the disk, and masks secrets before a text gets
here.
"""

from kaozheng.sources.code.claims import Doubt, doubt_of
from kaozheng.sources.code.code_file import CodeFile, FileKind
from kaozheng.sources.code.exploring import Hit, SearchResult, list_tree, outline_text, read_lines, search_keyword
from kaozheng.sources.code.picture import Picture, mermaid, picture
from kaozheng.sources.code.repository import CodeReader, CodeShelf, EntryPoint, Repository, Task
from kaozheng.sources.code.secrets import MASK, mask_secrets
from kaozheng.sources.code.symbol import ImportEdge, Outline, RawImport, Symbol, SymbolKind

__all__ = [
    "MASK",
    "CodeFile",
    "CodeReader",
    "CodeShelf",
    "Doubt",
    "EntryPoint",
    "FileKind",
    "Hit",
    "ImportEdge",
    "Outline",
    "Picture",
    "RawImport",
    "Repository",
    "SearchResult",
    "Symbol",
    "SymbolKind",
    "Task",
    "doubt_of",
    "list_tree",
    "mask_secrets",
    "mermaid",
    "outline_text",
    "picture",
    "read_lines",
    "search_keyword",
]
