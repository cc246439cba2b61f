"""A guess of the mapping for a file without one: by the names of its columns and by what they hold."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from ingest.column_values import CellKind, content_of, is_date
from ingest.columns import texts_of
from ingest.entries import Notes, entries
from ingest.errors import UnreadableFile
from ingest.identifiers import Choose
from ingest.mapping import Mapping
from ingest.reading.headings import (
    DATE_ENDS,
    FILLERS,
    LANGUAGES,
    MARC,
    MEASURES,
    NAMES,
    OTHERWISE,
    folded,
)
from ingest.reading.row import Row
from ingest.reading.settings import Limits

FIRST_ROWS: Final = 500
"""The rows of a file by which its columns are judged."""

ALSO: Final = dict.fromkeys(("people", "events", "concepts", "periods"), "subject") | {
    "materials": "description"
}
"""What is indexed, and the field that its columns are for as well, since scores read the six fields."""

_LONG: Final = 2000
_ANY: Final = Mapping.model_validate({"id": {"value": "-"}, "title": {"value": "-"}})
_PICTURE: Final = re.compile(r"https?://\S+\.(?:jpe?g|png|gif|webp|tiff?)(?:[?#]\S*)?$", re.IGNORECASE)
_AROUND: Final = frozenset({"fields", "metadata", "data", "attributes"})
_OF_OTHERS: Final = frozenset({"id", "uri", "url", "ref", "lang", "type", "source"})
_SAY_NOTHING: Final = FILLERS | DATE_ENDS
_VOCABULARIES: Final = frozenset({"dc", "dcterms"})  # title (DC), dcterms:created
_BOTH_GENDERS: Final = re.compile(r"(?<=[a-zäöü])(?:[/*:]in(?:nen)?|\(in(?:nen)?\))\b")
"""What German adds to a maker for makers of both genders: Künstler/in, Fotograf*innen."""
_BEGINS: Final = frozenset(
    ("begin", "start", "earliest", "debut", "von", "from", "min", "vroegste", "beginn", "inicio", "inizio")
) | {"after", "desde", "fra"}
_TAG: Final = re.compile(r"(\d{3})(?!\d)")
_NO_TEXT: Final = frozenset(
    {CellKind.ADDRESSES, CellKind.CODES, CellKind.NUMBERS, CellKind.MOMENTS, CellKind.FLAGS}
)
_NOT_CONTENT: Final = {
    "date": _NO_TEXT - {CellKind.MOMENTS} | {CellKind.PROSE},
    "creator": _NO_TEXT | {CellKind.PROSE, CellKind.DATES},
    "id": frozenset({CellKind.PROSE, CellKind.FLAGS}),
    **dict.fromkeys(("places", "people", "type", "materials"), _NO_TEXT | {CellKind.DATES}),
    **dict.fromkeys(("cultures", "periods", "provider"), _NO_TEXT | {CellKind.DATES}),
    "source": _NO_TEXT | {CellKind.DATES, CellKind.PROSE},
    **dict.fromkeys(("rights", "image", "landing_page"), frozenset[CellKind]()),
}
"""What a column for a part of a record does not hold; of other parts no more than texts are read."""

_ID_WORDS: Final = frozenset(
    ["id", "identifier", "uuid", "number", "no", "nr", "key", "num", "numero", "inv"]
)
_FILLED, _APART = 0.95, 0.98  # an id stands in nearly all rows, and is nearly always another


class Certainty(StrEnum):
    """How sure the guess of a part is, in words for people."""

    NAME = "sure"
    WORDS = "likely"
    CONTENT = "unsure: by what it holds alone"


@dataclass(frozen=True)
class FileColumn:
    """A column of a file: its path, the texts that it holds in some rows, and the number of these rows."""

    path: str
    texts: tuple[str, ...]
    rows: int

    @cached_property
    def content(self) -> CellKind:
        """What most of its texts are."""
        return content_of(self.texts)

    @cached_property
    def repeated(self) -> int:
        """The rows that lack a text here, or have the text of another row."""
        once = sum(number == 1 for number in Counter(self.texts).values())
        return max(0, self.rows - once)

    @cached_property
    def _steps(self) -> list[list[str]]:
        plain = _BOTH_GENDERS.sub("", re.sub(r"\[[^\]]*\]", "", self.path))
        steps = [folded(step.rpartition(":")[2]).split() for step in re.split(r"[./]@?", plain)]
        return [step for step in steps if step and " ".join(step) not in _AROUND] or steps

    @cached_property
    def path_words(self) -> tuple[str, ...]:
        """All words of the last two steps of its path."""
        return tuple(word for step in self._steps[-2:] for word in step)

    @cached_property
    def called(self) -> str:
        """The last step of its path, or the one before where the last is no more than *name* or *text*."""
        if len(self._steps) > 1 and (FILLERS | DATE_ENDS).issuperset(self._steps[-1]):
            return " ".join(self._steps[-2])
        named = [word for word in self._steps[-1] if word not in _VOCABULARIES] or self._steps[-1]
        return " ".join(named) if self.words else ""

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name that say what it is for, of the last step of its path that has any."""
        if len(self._steps) > 1 and " ".join(self._steps[-1]) in _OF_OTHERS:
            return ()
        for step in reversed(self._steps[-2:]):
            if named := [word for word in step if word not in _SAY_NOTHING and not word.isdigit()]:
                return tuple(named)
        return tuple(self._steps[-1])

    @cached_property
    def language(self) -> str | None:
        """The language that the end of its name gives: titel_nl."""
        parts = re.split(r"[_@ .-]", self.path)
        return parts[-1].lower() if len(parts) > 1 and parts[-1].lower() in LANGUAGES else None


class Guess(NamedTuple):
    """The columns for each part of a record, those that are for none, and how sure each part is."""

    parts: dict[str, list[FileColumn]]
    left: list[FileColumn]
    certainty: dict[str, Certainty]


def guessed(columns: Sequence[FileColumn]) -> Guess:
    """Which columns are for which part of a record, the best first."""
    shared = Counter(word for column in columns for word in set(column.words))
    most = max(2, len(columns) // 2)  # what most columns are called says nothing of any
    noise = frozenset(word for word, number in shared.items() if number > most)
    parts: dict[str, list[FileColumn]] = {}
    certainty: dict[str, Certainty] = {}
    left = list(columns)
    for part in NAMES:
        ranks = ((_rank(column, part, noise), at) for at, column in enumerate(left))
        ranked = sorted((rank, at) for rank, at in ranks if rank is not None)
        best = [left[at] for rank, at in ranked if rank[0] <= max(ranked[0][0][0], _SURE)]
        best = best[: 1 if part in _SINGLE else 3]
        if not best:
            continue
        best += [column for column in left if column not in best and _is_translation(column, best)]
        parts[part] = best
        certainty[part] = Certainty.NAME if ranked[0][0][0] <= _SURE else Certainty.WORDS
        left = [column for column in left if column not in best]
    if "creator" not in parts and (
        makers := [one for one in parts.get("people", ()) if _has_role(one, columns)]
    ):
        parts["creator"], certainty["creator"] = makers, Certainty.CONTENT
        parts["people"] = [column for column in parts["people"] if column not in makers]
    if "date" in parts and (last := _other_end(parts["date"][0], left)) is not None:
        parts["date"].append(last)
        left.remove(last)
    parts = {part: chosen for part, chosen in parts.items() if chosen}
    for part, field in ALSO.items():
        if part in parts:
            parts[field] = [*parts.get(field, ()), *parts[part]]
    _by_content(parts, left, certainty)
    order = [part for part in NAMES if part in parts]
    return Guess({part: parts[part] for part in order}, left, certainty)


def _by_content(
    parts: dict[str, list[FileColumn]], left: list[FileColumn], certainty: dict[str, Certainty]
) -> None:
    """Give what is left to the parts without a column by what it holds; all prose is described by."""
    for part, fits in _FITTING.items():
        fitting = next((column for column in left if _may_be(column, part) and fits(column)), None)
        if part not in parts and fitting is not None:
            parts[part] = [fitting]
            certainty[part] = Certainty.CONTENT
            left.remove(fitting)
    prose = [
        column for column in left if column.content is CellKind.PROSE and _may_be(column, "description")
    ][:2]
    if prose:
        parts["description"] = [*parts.get("description", ()), *prose]
        left[:] = [column for column in left if column not in prose]
    if "id" not in parts:
        if "title" in parts and _is_id(parts["title"][0]):
            parts["id"] = parts["title"]
        else:
            # the best there is: the mapping says how many rows it does not tell apart
            pages = parts.get("landing_page", [])
            named = [column for column in left if _ID_WORDS & {*column.path_words}]
            if some := [column for column in (*named, *pages) if not MEASURES & {*column.path_words}]:
                parts["id"] = [min(some, key=lambda column: column.repeated)]
                left[:] = [column for column in left if column not in parts["id"]]
        certainty["id"] = Certainty.CONTENT


def _other_end(first: FileColumn, left: Iterable[FileColumn]) -> FileColumn | None:
    """The column with the last year of what ``first`` has the first year of: datering.eind."""
    words = {*first.path_words}
    if _BEGINS.isdisjoint(words):
        return None
    return next(
        (
            column
            for column in left
            if (DATE_ENDS - _BEGINS) & {*column.path_words}
            and {*column.path_words} - DATE_ENDS == words - DATE_ENDS
        ),
        None,
    )


def _may_be(column: FileColumn, part: str) -> bool:
    """Whether neither the name of a column nor what it holds speaks against a part."""
    words = {*column.path_words}
    if MEASURES & words or OTHERWISE.get(part, frozenset()) & words:
        return False
    if "@" in column.path.replace("@value", "") and part not in ("id", "image", "landing_page"):
        return False  # an attribute of XML says of what kind a text is
    if part in ("image", "landing_page"):
        return column.content is CellKind.ADDRESSES
    if part == "id":
        return column.content not in _NOT_CONTENT["id"] and _is_id(column)
    return column.content not in _NOT_CONTENT.get(part, _NO_TEXT)


def _rank(column: FileColumn, part: str, noise: frozenset[str]) -> tuple[int, int] | None:
    """How well the name of a column fits a part; None where it does not, or where what it holds does not."""
    names, tag = NAMES[part], _TAG.match(folded(column.path))
    if tag and tag[1] in MARC.get(part, ()):
        return 0, MARC[part].index(tag[1])
    if not _may_be(column, part):
        return None
    words = tuple(word for word in column.words if word not in noise) or column.words
    fits = _exactly((column.called, " ".join(words)), names) or _by_word(words, names)
    if fits is None:
        return None
    later = _ONE_END if part == "date" and DATE_ENDS & {*column.path_words} else 0
    later += _WEAK if len(column.texts) < _SELDOM * column.rows else 0
    return fits[0] + later, fits[1]


def _exactly(called: Iterable[str], names: Sequence[str]) -> tuple[int, int] | None:
    """The rank of a column that is called as museums call a part; later where only part of its name is so."""
    for step, name in enumerate(called):
        for form in (name, name.removesuffix("s")):
            if form in names:
                return step, names.index(form)
            if f"?{form}" in names:  # where nothing else is called so
                return _WEAK, names.index(f"?{form}")
    return None


def _by_word(words: tuple[str, ...], names: Sequence[str]) -> tuple[int, int] | None:
    """The rank of a column by one word of its name, the first and the last before others."""
    for at, name in enumerate(names):
        if len(name) > 2 and name in (words[:1] + words[-1:]):
            return 2, at
    for at, name in enumerate(names):
        if len(name) > 4 and any(word == name or _is_compound(word, name) for word in words):
            return 3, at
    return None


def _is_compound(word: str, name: str) -> bool:
    """Whether a word ends or begins with a name, as Objekttitel; material is no compound of materia."""
    return len(word) > len(name) + 2 and (word.startswith(name) or word.endswith(name))


def _has_role(column: FileColumn, columns: Iterable[FileColumn]) -> bool:
    """Whether the objects of a list that hold names also say a role: they are those of makers."""
    parent, step, _ = column.path.rpartition("[].")
    return bool(step) and any(one.path.startswith(parent) and "role" in one.path_words for one in columns)


def _is_translation(column: FileColumn, chosen: Iterable[FileColumn]) -> bool:
    """Whether a column has in another language what one of the chosen ones has: titel_nl beside titel_en."""
    if column.language is None:
        return False
    stem = column.path[: -len(column.language)]
    stems = (one.path[: -len(one.language)] if one.language else f"{one.path}_" for one in chosen)
    return stem in stems


def _is_id(column: FileColumn) -> bool:
    texts = column.texts
    whole = len(texts) >= _FILLED * column.rows and len(set(texts)) >= _APART * len(texts)
    return whole and all(len(text) < 120 and "\n" not in text for text in texts)


_SURE: Final = 1
_WEAK: Final = 4
_SELDOM: Final = 0.1  # of the rows: then another column that is called less exactly is the likelier one
_ONE_END: Final = 5
_SINGLE: Final = frozenset(
    ["id", "title", "type", "source", "image", "date", "landing_page", "rights", "provider"]
)
"""Parts that one column is for; others have three at most."""
# which part a column that is called by no known name is for
_FITTING: Final[dict[str, Callable[[FileColumn], bool]]] = {
    "id": lambda column: column.content is not CellKind.ADDRESSES and column.content is not CellKind.DATES,
    "image": lambda column: all(_PICTURE.match(text) for text in column.texts),
    "description": lambda column: sum(map(len, column.texts)) > 80 * len(column.texts),
    "date": lambda column: sum(map(is_date, column.texts)) > 0.6 * len(column.texts),
    "title": lambda column: column.rows < 2 * len(column.texts) < 4 * len(set(column.texts)),
}


def guess_of(path: Path, limits: Limits, mapping: Mapping | Choose = _ANY) -> Guess:
    """The guess for a file, by its first rows; raises ``UnreadableFile`` where there are none."""
    notes = Notes()
    read = islice(entries([path], mapping, limits, notes, lambda _: None), FIRST_ROWS)
    columns = columns_of(entry.row for entry in read if entry.row is not None)
    if not columns:
        raise UnreadableFile("; ".join(notes.damaged) or f"{path} holds no row to guess a mapping from")
    return guessed(columns)


def columns_of(rows: Iterable[Row]) -> list[FileColumn]:
    """The columns of some rows that hold texts, in the order in which they come.

    Each row is looked at as it comes: one of XML is empty once the next is read.
    """
    texts: dict[str, list[str]] = {}
    number = 0
    for row in rows:
        number += 1
        for column, text in texts_of(row):
            texts.setdefault(column, []).append(text[:_LONG])
    return [FileColumn(column, tuple(values), number) for column, values in texts.items()]
