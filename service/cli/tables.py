"""Answers as tables on a terminal."""

from typing import TYPE_CHECKING

import typer
from rich.markup import escape
from rich.table import Table

from service.cli.context import Context
from service.explain.phrases import short

if TYPE_CHECKING:
    from service.web.api.schemas import Explanation, Neighbours, Pair, ReasonFact, Similar


def print_neighbours(context: Context, labels: list[str], answer: "Neighbours | Similar") -> None:
    """Neighbours with their scores and reasons; ``labels`` say what they are neighbours of."""
    title = f"{', '.join(labels)}, {_system(answer)}"
    table = Table("score", "type", "item", "because", title=escape(title), title_justify="left", box=None)
    for near in answer.neighbours:
        item = f"{escape(near.title)}\n[dim]{escape(near.id)}[/dim]"
        table.add_row(_shown(near.score), near.type, item, escape(near.reason))
        for line in _facts(near.facts) if near.explanation else ():
            table.add_row("", "", "", escape(line))
        for amount, line in _sum(near.explanation) if near.explanation else ():
            table.add_row(amount, "", "", escape(line))
    context.console.print(table)
    for note in (*([answer.approximate] if answer.approximate else []), *answer.notes):
        context.warn(note)
    if answer.next is not None:
        # a line of its own, however long: it is there to be copied
        typer.echo(f"more: --cursor {answer.next}", err=True)


def print_pair(context: Context, answer: "Pair") -> None:
    """Scores of all types with their reasons and what makes them."""
    names = (str(item.title or item.id) for item in (answer.left, answer.right))
    title = f"{' and '.join(names)}, {_system(answer)}"
    table = Table("type", "score", "because", title=escape(title), title_justify="left", box=None)
    for explanation in answer.explanations or ():
        kind, score = explanation.type, _shown(explanation.score)
        table.add_row(kind, score, escape(answer.reasons.root[kind]), style="bold")
        for line in _facts(answer.facts.root[kind]):
            table.add_row("", "", escape(line))
        for amount, line in _sum(explanation):
            table.add_row("", amount, escape(line))
    context.console.print(table)


def _facts(facts: "list[ReasonFact]") -> list[str]:
    """Each fact with the fields in which it stands on either side."""
    return [
        f"{one.kind} {one.value}{f' / {one.other}' if one.other else ''}"
        f" ({one.left.field} here, {one.right.field} there)"
        for one in facts
    ]


def _sum(explanation: "Explanation") -> list[tuple[str, str]]:
    """The base and what every feature adds to it, each with a line of words."""
    if explanation.base is None:
        return []
    lines = [(f"{explanation.base:+.3f}", "base")]
    words: dict[str, str] = {}
    for part in explanation.contributions or ():
        value = "no information" if part.value is None else f"{part.value:.3f}"
        weight = "" if part.weight is None else f" x {part.weight:.3f}"
        shown = [short(evidence.left[0].text) for evidence in part.evidence[:5]]
        line = words[part.feature] = words.get(part.evidence_of or "", ", ".join(dict.fromkeys(shown)))
        lines.append((f"{part.amount:+.3f}", f"{part.feature} {value}{weight}  {line}"))
    return lines


def _shown(score: float | None) -> str:
    return "–" if score is None else f"{score:.2f}"


def _system(answer: "Neighbours | Similar | Pair") -> str:
    stands_in = f" (in place of {answer.stands_in_for})" if answer.stands_in_for else ""
    return f"system {answer.system}{stands_in}"
