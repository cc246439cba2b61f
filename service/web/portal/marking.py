"""The words that a score rests on, marked in the texts of a record by their offsets."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from features.profiles.profile import PLACES, Occurrence
from ingest.record import Field, Record

Places = Mapping[tuple[str, int], list[tuple[int, int]]]
"""Stretches by the field and the number of the value that they stand in."""


class TextPiece(NamedTuple):
    """A part of a text; ``marked`` where a score rests on it."""

    text: str
    marked: bool


class MarkedValue(NamedTuple):
    """A value of a record in pieces, with its language."""

    pieces: tuple[TextPiece, ...]
    language: str | None


def places(occurrences: Iterable[Occurrence]) -> Places:
    """Where some occurrences stand."""
    stretches: defaultdict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for one in occurrences:
        stretches[one.part, one.index].append((one.start, one.end))
    return stretches


def fields(record: Record, marks: Places) -> Iterator[tuple[str, tuple[MarkedValue, ...]]]:
    """The fields of a record that hold anything, each value in pieces."""
    for name, values in (*((field.value, record.field(field)) for field in Field), (PLACES, record.places)):
        if values:
            yield (
                name,
                tuple(
                    MarkedValue(tuple(pieces(value.text, marks.get((name, n), []))), value.language)
                    for n, value in enumerate(values)
                ),
            )


def pieces(text: str, stretches: Iterable[tuple[int, int]]) -> Iterator[TextPiece]:
    """A text cut at the ends of stretches; those that touch but for a blank are marked as one.

    >>> [(piece.text, piece.marked) for piece in pieces("The Grand Canal, Venice", [(10, 15), (4, 9)])]
    [('The ', False), ('Grand Canal', True), (', Venice', False)]
    """
    joined: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    done = 0
    for start, end in joined:
        if start > done:
            yield TextPiece(text[done:start], False)
        yield TextPiece(text[start:end], True)
        done = end
    if done < len(text):
        yield TextPiece(text[done:], False)
