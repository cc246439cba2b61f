"""Markdown: a path to be read, printed or put into another page."""

import re
from collections.abc import Iterator
from urllib.parse import quote

from service.languages.messages import gettext
from service.paths.views import PathView, StepView


def write(view: PathView) -> bytes:
    """The path as CommonMark."""
    return ("\n\n".join(_blocks(view)) + "\n").encode()


def _blocks(view: PathView) -> Iterator[str]:
    path = view.path
    yield f"# {_line(path.content.title)}"
    if path.content.curator:
        yield gettext("A path by {name}.").format(name=_line(path.content.curator))
    if path.content.text:
        yield _prose(path.content.text)
    for stop in view.stops:
        yield from _step(view, stop)


def _step(view: PathView, stop: StepView) -> Iterator[str]:
    heading = view.heading(stop.step)
    reason = ": ".join(filter(None, (_line(heading), _line(stop.step.reason))))
    if reason:
        yield f"*{reason}*"
    title = _line(stop.title)
    if stop.record is None:
        yield f"## {stop.place}. {title} ({gettext('withdrawn')})"
    else:
        yield f"## {stop.place}. [{title}]({view.item(stop.step.item)})"
    if stop.byline:
        yield _line(stop.byline)
    if stop.image:
        yield f"![{title}]({quote(stop.image, safe='/:?&=%#+,;@!$~')})"
    if stop.step.note:
        yield _prose(stop.step.note)


def _line(text: str) -> str:
    """A text on one line in which no character means anything.

    >>> print(_line("A [yard] *by*\\n<Canaletto>"))
    A \\[yard\\] \\*by\\* \\<Canaletto\\>
    """
    return re.sub(r"([\\`*_{}\[\]<>#+!|~&-])", r"\\\1", " ".join(text.split()))


def _prose(text: str) -> str:
    """Paragraphs in which no character means anything."""
    paragraphs = re.split(r"\n\s*\n", text.replace("\r\n", "\n").strip())
    return "\n\n".join(_paragraph(one) for one in paragraphs)


def _paragraph(text: str) -> str:
    lines = [_line(line) for line in text.splitlines() if line.strip()]
    # a line of a paragraph may begin as an entry of a numbered list does
    return "\\\n".join(re.sub(r"^(\d+)([.)])", r"\1\\\2", line) for line in lines)
