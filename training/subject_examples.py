"""What the subjects models learn from: Tate's records by its index, The Walters' by keywords and kinds.

Records of the typed pairs are left out, and with them every record of the same title; of the others each
title counts once, and of Tate no creator more than so often, since one bequest is half of the
collection. A record is learnt from by its title, by half of its subject terms (the words that name a
category must not be all that tells of it), and at The Walters by its description.

A keyword that is the last step of a path of Tate's index is that category (horse, cloud, sword); every
other is one under ``keywords``. What a thing is (``object_name``, and above it ``classification``) is a
category under ``kinds``. What a museum does not record is unknown of its records, not absent.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from features.arrays import Bools
from features.knowledge.subjects.model import prefixes, top
from ingest.errors import UnreadableFile
from ingest.reading.row import CellRow
from ingest.typed_files import pair_ids
from training.corpora import read_rows

LEFT_OUT: Final = ("abstraction/from", "emotions, concepts and ideas/formal")
"""Categories that begin so tell how a picture is made, not what it shows."""

_SAME: Final = (
    "architecture/",
    "leisure and pastimes/",
    "nature/",
    "objects/vessels",
    "objects/weapons",
    "people/",
    "religion and belief/",
    "society/",
    "work and occupations/",
)
"""Branches of Tate's index in which a keyword of the same word means the same: a painting, in the index one
that is shown, is at The Walters what the thing is."""

_OTHER_SENSE: Final = "architecture/periods and styles/"
_NO_KEYWORDS: Final = frozenset({"walters art museum", "miscellaneous"})
_LONGEST_TITLE: Final = 200
_LONGEST: Final = 600
"""Characters of a description that are learnt from; what follows is past what the encoder reads."""


@dataclass(frozen=True, slots=True)
class SampleSettings:
    """How many records and categories there are; the defaults made the models that come with Kindred."""

    records: int = 14_000
    """Of Tate; of The Walters all are taken."""
    of_creator: int = 1500
    least: int = 40
    """Records that a category of Tate needs; of a place ``least_places``."""
    least_places: int = 30
    least_walters: int = 25
    """Records that a keyword or a kind of The Walters needs."""
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Example:
    """What is learnt from a record: its texts, and the categories it is filed under.

    ``knows`` holds how the categories begin of which the record tells whether it has them, and ``shared``
    whether those of Tate that keywords name are among them.
    """

    creator: str
    title: str
    subjects: str
    categories: frozenset[str]
    described: str = ""
    knows: tuple[str, ...] = ("",)
    shared: bool = False


def left_out(shared: Path) -> frozenset[str]:
    """The ids of all records of the typed pairs."""
    folders = sorted(path for path in (shared / "data" / "typed").glob("*") if path.is_dir())
    return frozenset(name for folder in folders for pair in pair_ids(folder) for name in pair)


def rows(shared: Path, name: str) -> Iterator[CellRow]:
    """The records of a museum; raises ``UnreadableFile``."""
    path = shared / "data" / "records" / f"{name}.jsonl.gz"
    if not path.is_file():
        raise UnreadableFile(f"no {path}; name the folder that holds data/records/{name}.jsonl.gz")
    yield from read_rows(path)


def texts(row: Mapping[str, object], name: str) -> list[str]:
    """The texts of a column that holds a list."""
    values = row.get(name)
    return [str(value) for value in values] if isinstance(values, list) else []


def sample(
    rows: Iterable[Mapping[str, object]], left_out: frozenset[str], settings: SampleSettings
) -> list[Example]:
    """Draw the records of Tate that are learnt from; the same ones for the same records and seed."""
    chance = random.Random(settings.seed)  # noqa: S311 - a sample, no secret
    filed = [row for row in rows if row.get("title") and row.get("subject") and row.get("subject_path")]
    titles = {str(row["title"]) for row in filed if row["id"] in left_out}
    chance.shuffle(filed)
    by, examples = Counter[str](), list[Example]()
    for row in filed:
        creator, title = texts(row, "creator")[:1] or ["?"], str(row["title"])
        if title in titles or by[creator[0]] >= settings.of_creator:
            continue
        titles.add(title)
        by[creator[0]] += 1
        under = frozenset(name for path in texts(row, "subject_path") for name in prefixes(path))
        examples.append(
            Example(creator[0], title[:_LONGEST_TITLE], _half(texts(row, "subject"), chance), under)
        )
        if len(examples) == settings.records:
            break
    return examples


def sample_walters(
    rows: Iterable[Mapping[str, object]],
    left_out: frozenset[str],
    index: Mapping[str, str],
    settings: SampleSettings,
) -> list[Example]:
    """The records of The Walters that are learnt from; ``index`` gives Tate's category of a word."""
    chance = random.Random(settings.seed)  # noqa: S311 - a sample, no secret
    named = [row for row in rows if row.get("title")]
    titles = {str(row["title"]) for row in named if row["id"] in left_out}
    chance.shuffle(named)
    examples: list[Example] = []
    for row in named:
        title, keywords = str(row["title"]), texts(row, "subject")
        if title in titles:
            continue
        titles.add(title)
        categories = {index.get(word, f"keywords/{word}") for word in map(_word, keywords)} - {"keywords/"}
        kinds = set(_kinds(row))
        examples.append(
            Example(
                creator=(texts(row, "creator") or ["?"])[0],
                title=title[:_LONGEST_TITLE],
                subjects=_half(keywords, chance),
                categories=frozenset(categories | kinds),
                described=str(row.get("description") or "")[:_LONGEST],
                knows=(*(("keywords/",) if categories else ()), *(("kinds/",) if kinds else ())),
                shared=bool(categories),
            )
        )
    return examples


def words_of_index(categories: Iterable[str]) -> dict[str, str]:
    """Tate's category of each word that ends one path alone, in the branches where it means the same.

    >>> words_of_index(["nature/animals: mammals/horse", "architecture/military/x", "society/war/x"])
    {'horse': 'nature/animals: mammals/horse'}
    """
    paths_of: dict[str, list[str]] = {}
    for category in categories:
        if category.startswith(_SAME) and not category.startswith(_OTHER_SENSE) and category.count("/") == 2:
            paths_of.setdefault(_word(category.rpartition("/")[2]), []).append(category)
    return {word: paths[0] for word, paths in paths_of.items() if len(paths) == 1}


def counted(
    examples: Sequence[Example], settings: SampleSettings, least: int | None = None
) -> tuple[str, ...]:
    """The categories that enough records have, in alphabetical order; with ``least`` that many of all."""
    counts = Counter(name for one in examples for name in one.categories)

    def enough(name: str) -> int:
        return least or (settings.least_places if top(name) == "places" else settings.least)

    return tuple(
        name
        for name, count in sorted(counts.items())
        if count >= enough(name) and not name.startswith(LEFT_OUT)
    )


def known(examples: Sequence[Example], categories: Sequence[str], index: Iterable[str]) -> Bools:
    """Of which categories each record tells whether it has them, bool[examples, categories].

    ``index`` holds the categories of Tate that keywords name.
    """
    by_keywords = set(index)
    marks = [(name.startswith(("keywords/", "kinds/")), name, name in by_keywords) for name in categories]

    def informed(one: Example) -> list[bool]:
        if one.knows == ("",):
            return [not walters for walters, _, _ in marks]
        return [
            name.startswith(one.knows) if walters else one.shared and named for walters, name, named in marks
        ]

    return np.array([informed(one) for one in examples], bool).reshape(len(examples), len(categories))


def _half(terms: list[str], chance: random.Random) -> str:
    return ", ".join(chance.sample(terms, (len(terms) + 1) // 2))


def _word(keyword: str) -> str:
    word = keyword.strip("* ").casefold()
    return "" if word in _NO_KEYWORDS else word


def _kinds(row: Mapping[str, object]) -> Iterator[str]:
    """``kinds/ceramics``, and ``kinds/ceramics/vases`` of "vases; jars (vessels)"."""
    above = str(row.get("classification") or "").casefold().replace("/", " ")
    if above:
        yield f"kinds/{above}"
        for name in str(row.get("object_name") or "").split(";"):
            kind = re.sub(r"\s*\([^)]*\)", "", name).strip().casefold().replace("/", " ")
            if kind:
                yield f"kinds/{above}/{kind}"
