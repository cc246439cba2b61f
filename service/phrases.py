"""Evidence in the words of the records: what two items share, as they write it."""

from collections.abc import Iterator, Mapping, Sequence

from features.measures.base import Evidence
from features.profile import PLACES
from features.scope import Occurrence
from ingest.record import Field, Record

_SHOWN = 3
"""How many shared words or names a sentence lists."""

_LONG = 60
"""Letters of a passage that a sentence shows at most."""

_SMALL_WORDS = """
a an and as at be but by for from had has have he her his in into is it its no not of on or she that
the their there these they this to was were which who with one two 's
"""
SMALL = frozenset(_SMALL_WORDS.split())
"""Words that a sentence does not name as what two items share, where they share anything else."""


def surface(record: Record, occurrence: Occurrence) -> str:
    """The text of an occurrence as the record has it."""
    return _value(record, occurrence.part, occurrence.index)[occurrence.start : occurrence.end]


def opening(record: Record, occurrence: Occurrence) -> str:
    """The whole text that an occurrence stands in."""
    return _value(record, occurrence.part, occurrence.index)


def pairs(evidence: Sequence[Evidence], left: Record, right: Record) -> list[tuple[str, str]]:
    """What stands on either side of each piece of evidence, strongest first, each pair once."""
    found = ((surface(left, one.left[0]), surface(right, one.right[0])) for one in evidence)
    return list({(ours.casefold(), theirs.casefold()): (ours, theirs) for ours, theirs in found}.values())


def beside(sides: Sequence[tuple[str, str]]) -> str:
    """Pairs of unlike texts in words.

    >>> beside([("boat", "ship"), ("sea", "sea")])
    '“boat” here, “ship” there; “sea” on both sides'
    """
    return "; ".join(
        f"“{short(ours)}” on both sides"
        if ours.casefold() == theirs.casefold()
        else f"“{short(ours)}” here, “{short(theirs)}” there"
        for ours, theirs in sides[:_SHOWN]
    )


def phrases(evidence: Sequence[Evidence], left: Record, right: Record) -> list[str]:
    """Shared words as the left record writes them, neighbours joined where the right has them so too."""
    weights: dict[tuple[str, int, int, int], float] = {}
    for one in evidence:
        for occurrence in one.left:
            key = (occurrence.part, occurrence.index, occurrence.start, occurrence.end)
            weights[key] = weights.get(key, 0.0) + one.share / len(one.left)
    theirs = "\n".join(_texts(right)).casefold()
    best: dict[str, tuple[float, str]] = {}
    for part, index, spans in _runs(weights):
        text = _value(left, part, index)
        whole = text[spans[0][0] : spans[-1][1]]
        apart = [(text[start:end], [(start, end)]) for start, end in spans]
        together = [(whole, spans)] if whole.casefold() in theirs else apart
        for phrase, inside in together:
            weight = sum(weights[part, index, s, e] for s, e in inside)
            before = best.get(phrase.casefold())
            if before is None or weight > before[0]:
                best[phrase.casefold()] = (weight, phrase)
    ordered = sorted(best.values(), key=lambda pair: (-pair[0], pair[1]))
    found = [phrase for _, phrase in ordered]
    # a lemma can tell where the word that stands for it is small
    return _telling(found) or found


def _telling(phrases: Sequence[str]) -> list[str]:
    """Phrases without small words at their ends, none of them part of one said before."""
    found: list[str] = []
    for phrase in phrases:
        words = phrase.split()
        while words and words[0].casefold() in SMALL:
            words.pop(0)
        while words and words[-1].casefold() in SMALL:
            words.pop()
        said = f" {' '.join(words)} ".casefold()
        if words and not any(said in f" {before} ".casefold() for before in found):
            found.append(" ".join(words))
    return found


def _runs(
    weights: Mapping[tuple[str, int, int, int], float],
) -> Iterator[tuple[str, int, list[tuple[int, int]]]]:
    """Spans of one value that follow each other with at most a blank between them."""
    run: list[tuple[int, int]] = []
    last: tuple[str, int] | None = None
    for part, index, start, end in sorted(weights):
        if run and last == (part, index) and start - run[-1][1] <= 1:
            run.append((start, end))
            continue
        if run and last:
            yield *last, run
        run, last = [(start, end)], (part, index)
    if run and last:
        yield *last, run


def listed(phrases: Sequence[str]) -> str:
    """The first of the phrases, quoted, with commas and an "and"."""
    shown = [f"“{phrase}”" for phrase in phrases[:_SHOWN]]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def short(text: str) -> str:
    """A text, or its first words where it is long.

    >>> short("A working corner of Venice instead of a ceremony: stonemasons cut blocks")
    'A working corner of Venice instead of a ceremony:…'
    """
    if len(text) <= _LONG:
        return text
    return text[:_LONG].rsplit(" ", 1)[0] + "…"


def _texts(record: Record) -> list[str]:
    values = [value.text for field in Field for value in record.field(field)]
    return values + [value.text for value in record.places]


def _value(record: Record, part: str, index: int) -> str:
    return (record.places if part == PLACES else record.field(Field(part)))[index].text
