"""More museum sentences out of few: other names in the same places, and other habits of capitals."""

import random
import re
from collections.abc import Iterator
from typing import Any, Final

from features.text.tokenizer import tokenize
from training.corpora import LOCATION, ORGANISATION, PERSON, Labelled

Names = dict[str, list[tuple[str, ...]]]
"""Names of each kind, as tokens."""

_BODY: Final = re.compile(
    r"\b(?:Museum|Gallery|Galleries|Fund|Foundation|Collection|Institute|Institution|Library|Society|Company"
    r"|Committee|Association|University|College|School|Club|Trust|Department|Bequest|Inc|Ltd|Co|Sons|Church)\b"
)
_BETWEEN: Final = re.compile(
    r"[;,.\[\]()]|\b(?:[Gg]ift|[Bb]equest|Transferred|Presented)\b|\b(?:by|to|from)\b"
)
_PERSON: Final = re.compile(r"[^\W\d_a-z][\w.'’-]+(?: (?:[^\W\d_a-z][\w.'’-]*|de|van|von|der|la|du|di)){1,3}")
_SMALL: Final = {"a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}


def names_of(records: list[dict[str, Any]]) -> Names:
    """Collect the names that the records' own fields give: creators, places, and bodies in credit lines."""
    collected: dict[str, set[str]] = {PERSON: set(), LOCATION: set(), ORGANISATION: set()}
    for record in records:
        for name in _list(record.get("creator")):
            if _BODY.search(name):
                collected[ORGANISATION].add(name)
            elif _PERSON.fullmatch(name) and "nknown" not in name:
                collected[PERSON].add(name)
        collected[LOCATION].update(_places(record))
        for text in (record.get("credit", ""), record.get("provenance", "")):
            for piece in _BETWEEN.split(text):
                name = re.sub(r"^(?:of |the )+| (?:through|in|and) (?:the )?.*| \d{4}.*", "", piece.strip())
                if _BODY.search(name) and name[:1].isupper() and 1 < len(name.split()) < 7:
                    collected[ORGANISATION].add(name)
    return {
        kind: [tuple(name[a:b] for s in tokenize(name) for a, b in s) for name in sorted(names)]
        for kind, names in collected.items()
    }


def _list(value: object) -> list[str]:
    return [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, str) and v]


def _places(record: dict[str, Any]) -> Iterator[str]:
    for path in _list(record.get("subject_path")):
        steps = path.split("/")
        if steps[0] == "places" and len(steps) == 3 and not steps[1].startswith(("mythical", "residential")):
            name = re.sub(r"\s*[-–]\s*non-specific.*| - .*|\s*\(.*", "", steps[2])
            if "," not in name and name[:1].isupper():
                yield name
    for place in (*_list(record.get("place")), *_list(record.get("creator_birth_place"))):
        for part in re.split(r"[,()]", place):
            if re.match(r"(?:\d+ )?[^\W\d_a-z][^\d.]*$", part.strip()):
                yield part.strip()


def renamed(sentence: Labelled, names: Names, chance: random.Random) -> Labelled:
    """Put other names of the same kind into a sentence, mostly."""
    words: list[str] = []
    labels: list[str] = []
    place = 0
    while place < len(sentence.words):
        beyond = place + 1
        kind = sentence.labels[place].partition("-")[2]
        while kind and beyond < len(sentence.words) and sentence.labels[beyond] == f"I-{kind}":
            beyond += 1
        new = sentence.words[place:beyond]
        short = beyond - place == 1 and len(new[0]) < 3  # 'PA' after a town stays a state
        if kind and not short and chance.random() < 0.8:
            new = chance.choice(names[kind])
        words += new
        labels += [f"B-{kind}", *[f"I-{kind}"] * (len(new) - 1)] if kind else ["O"] * len(new)
        place = beyond
    return Labelled(tuple(words), tuple(labels))


def capitalised(sentence: Labelled) -> Labelled:
    """Write a sentence as titles are written, where a capital says nothing."""
    words = [w if w.lower() in _SMALL and n else w[:1].upper() + w[1:] for n, w in enumerate(sentence.words)]
    return sentence._replace(words=tuple(words))


def shouted(sentence: Labelled) -> Labelled:
    """Write the names in capitals, as archives write family names."""
    words = [
        w.upper() if label != "O" else w for w, label in zip(sentence.words, sentence.labels, strict=True)
    ]
    return sentence._replace(words=tuple(words))
