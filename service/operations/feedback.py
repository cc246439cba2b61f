"""Feedback: judgements of curators, whether neighbours fit a type, stored and written out for training."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ingest.errors import FeedbackError, InvalidRequest
from ingest.storage.database import FileFormat, ResultRow, Store, WriteMark, last_written
from ingest.typed_files import ScoredPair
from models.official import SCALE, SimilarityType

FITS: Final = 4.0  # what a neighbour that fits counts where no score is given: strongly related
FITS_NOT: Final = 0.0  # what one that does not fit counts: unrelated

Scores = Mapping[SimilarityType, float | None]


_JUDGEMENTS: Final = (
    """CREATE TABLE judgements (
        one TEXT NOT NULL, other TEXT NOT NULL, type TEXT NOT NULL, fits INTEGER NOT NULL, score REAL,
        who TEXT NOT NULL, at TEXT NOT NULL, system TEXT NOT NULL, scores BLOB NOT NULL,
        PRIMARY KEY (one, other, type, who)
    ) STRICT, WITHOUT ROWID""",
)
_SUM: Final = """UPDATE judgements SET checksum =
    row_checksum(one, other, type, fits, score, who, at, system, scores)"""
_CHECKSUMS: Final = (
    "ALTER TABLE judgements ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0",
    _SUM,
)


class Judgement(NamedTuple):
    """A judgement of a pair in one type: whether it fits, and the score if one was given.

    ``scores`` are all that the system gave the pair when it was judged, None for nothing of a type.
    """

    left: str
    right: str
    type: SimilarityType
    fits: bool
    score: float | None
    by: str
    at: str
    system: str
    scores: Scores

    @property
    def gold(self) -> float:
        """The score that it stands for."""
        return self.score if self.score is not None else FITS if self.fits else FITS_NOT


class Feedback(Store):
    """The judgements of a collection; one that somebody repeats replaces the one before."""

    FORMAT = FileFormat(
        application=0x4B464542,  # "KFEB"
        steps=(_JUDGEMENTS, _CHECKSUMS),
        error=FeedbackError,
        lacks="holds no feedback",
        remedy="put back the one of a backup (kindred restore FILE --replace), or move it away to begin anew",
    )

    def say(
        self,
        pair: tuple[str, str],
        kind: SimilarityType,
        *,
        fits: bool,
        score: float | None,
        by: str,
        system: str,
        scores: Scores,
    ) -> Judgement:
        """Store a judgement; raises ``InvalidRequest`` for an item with itself or a score off the scale."""
        left, right = sorted(pair)
        if left == right:
            raise InvalidRequest("an item is not judged against itself; name two items")
        if score is not None and not SCALE[0] <= score <= SCALE[1]:
            raise InvalidRequest(f"a score is from {SCALE[0]:g} to {SCALE[1]:g}, not {score:g}")
        at = datetime.now(UTC).isoformat(timespec="seconds")
        row = left, right, kind, fits, score, by, at, system, msgspec.json.encode(scores)
        with self._writing():
            self._run(_SAY, *row)
            self._run(_SUM + _OF_ONE, left, right, kind, by)
        return Judgement(left, right, kind, fits, score, by, at, system, scores)

    def withdraw(self, pair: tuple[str, str], kind: SimilarityType, by: str) -> None:
        """Take back what somebody said of a pair; raises ``InvalidRequest`` where they said nothing."""
        left, right = sorted(pair)
        with self._writing():
            judgement = left, right, kind, by
            if not self._all("SELECT 1 " + _FROM_ONE, *judgement):
                raise InvalidRequest(f"{by} said nothing of {left!r} and {right!r} in {kind}")
            self._run("DELETE " + _FROM_ONE, *judgement)

    def rejected(self) -> list[tuple[str, str, SimilarityType]]:
        """The pairs, and the types, of which was said last that they are not alike."""
        rows = self._sound("SELECT * FROM judgements ORDER BY at, who")
        last = {(one, other, kind): bool(fits) for one, other, kind, fits, *_ in rows}
        return sorted(key for key, fits in last.items() if not fits)

    def about(self, item: str) -> list[Judgement]:
        """What was said of an item beside others, the last first."""
        query = "SELECT * FROM judgements WHERE ? IN (one, other) ORDER BY at DESC, one, other, type, who"
        return list(map(_judgement, self._sound(query, item)))

    def every(self) -> list[Judgement]:
        """All judgements, in the order of the pairs."""
        rows = self._sound("SELECT * FROM judgements ORDER BY one, other, type, who")
        return list(map(_judgement, rows))


_SAY: Final = "INSERT OR REPLACE INTO judgements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)"
_OF_ONE: Final = " WHERE one = ? AND other = ? AND type = ? AND who = ?"
_FROM_ONE: Final = "FROM judgements" + _OF_ONE


def _judgement(row: ResultRow) -> Judgement:
    one, other, kind, fits, *rest, scores = row
    return Judgement._make((one, other, kind, bool(fits), *rest, msgspec.json.decode(scores)))


class Rejections:
    """The pairs that curators rejected, by what was said last of each; what is stored counts at once.

    Raises ``FeedbackError`` where the file cannot be read (every method may).
    """

    def __init__(self, file: Path) -> None:
        self._file, self._feedback = file, Feedback(file)
        self._read: _Read = _Read((), "", {})

    @property
    def mark(self) -> str:
        """A text that differs where other pairs are rejected; empty where none is."""
        return self._current().mark

    def of(self, items: Iterable[str]) -> Mapping[SimilarityType, frozenset[str]]:
        """For each type the items that are rejected beside one of ``items``."""
        pairs, rejected = self._current().pairs, defaultdict[SimilarityType, set[str]](set)
        for item in items if pairs else ():
            for kind, other in pairs.get(item, ()):
                rejected[kind].add(other)
        return {kind: frozenset(others) for kind, others in rejected.items()}

    def _current(self) -> "_Read":
        written = last_written(self._file)
        if written != self._read.written:
            pairs = defaultdict[str, list[tuple[SimilarityType, str]]](list)
            rejected = self._feedback.rejected()
            for left, right, kind in rejected:
                pairs[left].append((kind, right))
                pairs[right].append((kind, left))
            mark = hashlib.sha256(msgspec.json.encode(rejected)).hexdigest() if rejected else ""
            self._read = _Read(written, mark, pairs)
        return self._read


class _Read(NamedTuple):
    """The rejected pairs as a file had them that looked so."""

    written: WriteMark
    mark: str
    pairs: Mapping[str, Sequence[tuple[SimilarityType, str]]]


def judged(judgements: Iterable[Judgement], types: Iterable[SimilarityType]) -> list[ScoredPair]:
    """Every pair once, with the mean of its judgements in each of ``types``; None in one that nobody judged.

    What the system itself gave a type is no judgement, and would teach it nothing.

    >>> one = Judgement("a", "b", "time", True, None, "ann", "", "s", {"time": 1.0, "author": 2.5})
    >>> judged([one, one._replace(score=3.0, by="bob")], ("author", "people", "time"))[0].scores
    (None, None, 3.5)
    """
    kinds, by_pair = tuple(types), defaultdict[tuple[str, str], list[Judgement]](list)
    for one in judgements:
        by_pair[one.left, one.right].append(one)
    return [ScoredPair(pair, tuple(_score(own, kind) for kind in kinds)) for pair, own in by_pair.items()]


def _score(judgements: Sequence[Judgement], kind: SimilarityType) -> float | None:
    own = [one.gold for one in judgements if one.type == kind]
    return sum(own) / len(own) if own else None
