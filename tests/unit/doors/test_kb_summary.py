"""Lines about documents on a terminal."""

from kaozheng.cli.kb_summary import hit_lines, report_lines, told
from kaozheng.documents.span import LineRange, Span
from kaozheng.sources.chunk import Chunk
from kaozheng.sources.index import Entry, Hit
from kaozheng.workflows.ingest.report import IngestReport, Outcome

STEERS = "\x1b]0;owned\x07\x9b31m\u202etxt"


def test_nothing_that_a_document_says_steers_the_terminal():
    chunk = Chunk("1", "a.md", (STEERS,), 1, Span(0, 5), LineRange(3, 3), f"水稻 {STEERS}\n\n亩产")
    hit = Hit(Entry("kb", f"a{STEERS}.md", "0", STEERS), chunk, "1", 0.5, True, {"words": 1.0})
    outcome = Outcome(f"a{STEERS}.md", "failed", reason=STEERS, left_out=(STEERS,))
    report = IngestReport("kb", (outcome, outcome), 0, 0, 0.1)
    for line in [*hit_lines(1, hit), *report_lines(report), told(outcome)]:
        assert line.isprintable(), line
    assert "the document number itself" in hit_lines(1, hit)[2]


def test_long_lists_are_cut_and_the_rest_is_counted():
    outcomes = tuple(Outcome(f"/n/{number}.docx", "failed", reason="damaged") for number in range(12))
    lines = report_lines(IngestReport("kb", outcomes, 0, 0, 0.1))
    assert lines[1] == "failed     12 documents"
    assert lines[-2] == "  and 2 more (--json has them all)"
