"""`kaozheng rules`: the rule book itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from kaozheng.cli.speaking import exit_codes, say_json

if TYPE_CHECKING:
    from kaozheng.rules.examples import ExampleResult
    from kaozheng.rules.rule import RuleBook

app = typer.Typer(help="Build, test and list a rule book. 规则手册。", no_args_is_help=True)

Book = Annotated[str, typer.Option("--rules", help="Rule book: zh-tech, en-tech or a file.")]
Force = Annotated[bool, typer.Option(help="Also when nothing changed.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("build")
def build(rules: Book = "", force: Force = False, as_json: AsJson = False) -> None:
    """Cut the book into pieces, embed them when an embedder is set, and keep them."""
    with exit_codes():
        from kaozheng import api

        done = api.build_rules(rules, force, on_note=lambda line: typer.echo(line, err=True))
    if as_json:
        say_json(done)
    else:
        state = "unchanged" if done["reused"] else "built"
        typer.echo(f"{done['book']}: {done['pieces']} pieces, {state}, {done['path']}")


@app.command("test")
def try_examples(rules: Book = "", as_json: AsJson = False) -> None:
    """Run the good and bad examples of the book against its checks."""
    with exit_codes():
        from kaozheng.rules.examples import run_examples

        book = _book(rules)
        results = run_examples(book)
    failed = [one for one in results if not one.passed]
    if as_json:
        say_json([_as_dict(one) for one in results])
    else:
        for one in failed:
            typer.echo(f"{book.name}:{one.example.line}: rule {one.rule.number}: {one.why}")
        typer.echo(f"{book.name}: {len(results)} examples, {len(failed)} failed")
    raise typer.Exit(1 if failed else 0)


@app.command("list")
def list_rules(rules: Book = "", as_json: AsJson = False) -> None:
    """Modules and rules, and which check judges each."""
    with exit_codes():
        book = _book(rules)
    if as_json:
        say_json(_listed(book))
        return
    for module in book.modules:
        typer.echo(f"{module.title} ({module.key})")
        for rule in module.rules:
            typer.echo(f"  {rule.number:<5} {' '.join(rule.text.split())[:70]}  [{rule.check or 'model'}]")


def _book(rules: str) -> RuleBook:
    from kaozheng import api
    from kaozheng.settings import load_settings

    return api.book_of(load_settings(rules=rules or None))


def _as_dict(one: ExampleResult) -> dict[str, Any]:
    return {
        "rule": one.rule.number,
        "good": one.example.good,
        "text": one.example.text,
        "passed": one.passed,
        "why": one.why,
    }


def _listed(book: RuleBook) -> list[dict[str, Any]]:
    return [
        {"module": module.key, "title": module.title, "number": rule.number, "text": rule.text, "check": rule.check}
        for module in book.modules
        for rule in module.rules
    ]
