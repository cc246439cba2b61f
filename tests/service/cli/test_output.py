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


def test_no_text_of_a_record_commands_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    text = "\x1b]0;owned\x07 a \x1b[2Jvase\x9b31m\r"
    context = Context(None)
    context.say("item", {"title": text})
    context.warn(text)
    printed = capsys.readouterr()
    for stream in (printed.out, printed.err):
        assert "]0;owned a [2Jvase31m" in stream
        assert {character for character in stream if character < " "} == {"\n"}
        assert "\x9b" not in stream


def test_every_console_is_ours() -> None:
    root = Path(__file__).parents[3]
    made = [
        path.name
        for tree in TREES
        for path in (root / tree).rglob("*.py")
        if "Console(" in path.read_text(encoding="utf-8")
    ]
    assert made == []  # a Terminal is made in its place
