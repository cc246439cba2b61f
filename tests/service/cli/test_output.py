"""What is printed is what the data says: no text of a record is read as markup, nor as an emoji."""

from pathlib import Path

import pytest

from service.cli.context import Context

TREES = ("service", "evaluation", "training", "bench")
# rich would print a cross, a heart and bold letters
TEXTS = ("oai:x:1", "urn:heart:2", "[bold]Vase[/bold]")


def test_identifiers_and_brackets_are_printed_as_they_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    context = Context(None)
    for text in TEXTS:
        context.say(text, {text: text})
        context.print_rows(None, (text,), [(text,)])
        context.warn(text)
    printed = capsys.readouterr()
    for text in TEXTS:
        assert printed.out.count(text) == 5
        assert printed.err.count(text) == 1


def test_every_console_leaves_emoji_alone() -> None:
    root = Path(__file__).parents[3]
    made = [
        (path.name, line.strip())
        for tree in TREES
        for path in (root / tree).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "Console(" in line
    ]
    assert made
    assert [one for one in made if "emoji=False" not in one[1]] == []
