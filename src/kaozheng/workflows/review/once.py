"""One review of one text, without a loop: what `kaozheng review` does."""

from __future__ import annotations

from kaozheng.aside import aside
from kaozheng.documents.document import Document
from kaozheng.models.limits import Lanes
from kaozheng.models.model import Model
from kaozheng.rules.engine import fix as fix_text
from kaozheng.rules.engine import inspect
from kaozheng.rules.retrieval import RuleStore
from kaozheng.rules.rule import RuleBook
from kaozheng.rules.violation import Violation
from kaozheng.sources.vectors import VectorShelf
from kaozheng.workflows.review.judging import Purpose, judgements


async def review_text(
    text: str, book: RuleBook, model: Model | None, vectors: VectorShelf, fix: bool, unsafe: bool, language: str | None
) -> tuple[str, list[Violation]]:
    """The text (mended when `fix`) and what breaks the book's rules in it, in order of place."""
    if fix:
        text = (await aside(fix_text, Document(text), book.rules, unsafe=unsafe)).text
    document = Document(text)
    violations = await aside(inspect, document, book.rules, language)
    store = RuleStore(book, vectors, None)
    lanes = Lanes()
    for module in book.modules if model else ():
        judged = await judgements(model, document, module, store, lanes, Purpose(f"review/{module.key}"))
        violations.extend(judged.violations)
    return text, sorted(violations, key=lambda one: (one.span, one.rule))
