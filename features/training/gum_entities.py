"""Named entities out of GUM: its `Entity=` spans cover whole phrases; the names are cut out of them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from features.training.corpora import LOCATION, ORGANISATION, PERSON, Labelled, Row, read_conllu

_KINDS: Final = {"person": PERSON, "place": LOCATION, "organization": ORGANISATION}
_EVENT: Final = re.compile(r"\((\d+)-([a-z]+)-([^()]*)(\)?)|(\d+)\)")
_HEAD: Final = 3
_LINKS: Final = {"of", "the", "and", "&", "for", "-"}
_TITLES: Final = {
    "mr.",
    "mrs.",
    "ms.",
    "dr.",
    "prof.",
    "sir",
    "lady",
    "king",
    "queen",
    "president",
    "st.",
    "professor",
}


def read_gum_entities(path: Path) -> Iterator[Labelled]:
    """Read the treebank's sentences with their named people, places and organisations."""
    for sentence in read_conllu(path):
        labels = ["O"] * len(sentence)
        for start, end, kind in sorted(_names(sentence), key=lambda name: name[1] - name[0]):
            labels[start:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - start - 1)]
        for place, label in enumerate(
            labels
        ):  # a longer name may have covered only the beginning of a shorter one
            if label.startswith("I-") and (not place or labels[place - 1][2:] != label[2:]):
                labels[place] = f"B-{label[2:]}"
        yield Labelled(tuple(row.form for row in sentence), tuple(labels))


def _names(sentence: list[Row]) -> Iterator[tuple[int, int, str]]:
    opened: dict[str, tuple[int, str, str]] = {}
    for place, row in enumerate(sentence):
        entity = re.search(r"Entity=([^|]*)", row.misc)
        for mark, kind, rest, closes, ends in _EVENT.findall(entity[1]) if entity else []:
            if mark:
                opened[mark] = (place, kind, rest)
            for closed in (mark if closes else "", ends):
                if closed in opened:
                    begin, kind_of, facts = opened.pop(closed)
                    yield from _name(sentence, begin, place + 1, kind_of, facts)


def _name(sentence: list[Row], begin: int, end: int, kind: str, rest: str) -> Iterator[tuple[int, int, str]]:
    facts = rest.split("-")
    number = re.match(r"\d+", facts[_HEAD]) if len(facts) > _HEAD else None
    head = begin + int(number[0]) - 1 if number else -1
    if kind not in _KINDS or not begin <= head < end or not _proper(sentence[head]):
        return
    first = last = head
    while first > begin and _proper(sentence[first - 1]):
        first -= 1
    while last + 1 < end:
        beyond = last + 1
        while kind != "person" and beyond < end and sentence[beyond].form in _LINKS:
            beyond += 1
        if beyond >= end or not _proper(sentence[beyond]):
            break
        last = beyond
    if kind == "person":
        while first < last and sentence[first].form.lower() in _TITLES - {"st."}:
            first += 1
    people = first == last and sentence[head].columns[4] == "NNPS"
    if not people:
        yield first, last + 1, _KINDS[kind]


def _proper(row: Row) -> bool:
    return row.upos == "PROPN"
