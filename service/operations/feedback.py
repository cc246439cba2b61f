"""Feedback: judgements of curators, whether neighbours fit a type, stored and written out for training."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

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
_CHECKSUMS: Final = (
    "ALTER TABLE judgements ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0",
    """UPDATE judgements SET checksum =
    row_checksum(one, other, type, fits, score, who, at, system, scores)""",
)
_SUM: Final = """UPDATE judgements SET checksum =
    row_checksum(one, other, type, fits, score, who, at, system, scores, pinned)"""
_PINS: Final = ("ALTER TABLE judgements ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0", _SUM)


class Verdict(NamedTuple):
    """Whether two items are alike in one way, how much if that is said, and whether the pair is pinned.

    A pinned pair fits so well that each comes first in the other's list of the type.
    """

    fits: bool
    score: float | None = None
    pinned: bool = False


class Judgement(NamedTuple):
    """A judgement of a pair in one type: whether it fits, and the score if one was given.

    ``scores`` are all that the system gave the pair when it was judged, None for nothing of a type.
    ``pinned`` pairs come first in each other's list of the type.
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
    pinned: bool = False

    @property
    def gold(self) -> float:
        """The score that it stands for."""
        return self.score if self.score is not None else FITS if self.fits else FITS_NOT


class Feedback(Store):
    """The judgements of a collection; one that somebody repeats replaces the one before."""

    FORMAT = FileFormat(
        application=0x4B464542,  # "KFEB"
        steps=(_JUDGEMENTS, _CHECKSUMS, _PINS),
        readable=3,
        error=FeedbackError,
        lacks="holds no feedback",
        remedy="put back the one of a backup (kindred restore FILE --replace), or move it away to begin anew",
    )

    def say(
        self,
        pair: tuple[str, str],
        kind: SimilarityType,
        verdict: Verdict,
        *,
        by: str,
        system: str,
        scores: Scores,
    ) -> Judgement:
        """Store a judgement; raises ``InvalidRequest`` for an item with itself or a score off the scale.

        So it does where the pinned item does not fit.
        """
        (left, right), (fits, score, pinned) = sorted(pair), verdict
        if left == right:
            raise InvalidRequest("an item is not judged against itself; name two items")
        if score is not None and not SCALE[0] <= score <= SCALE[1]:
            raise InvalidRequest(f"a score is from {SCALE[0]:g} to {SCALE[1]:g}, not {score:g}")
        if pinned and not fits:
            raise InvalidRequest("what is not alike is not pinned; say that it fits, or leave pinned out")
        at = datetime.now(UTC).isoformat(timespec="seconds")
        row = left, right, kind, fits, score, by, at, system, msgspec.json.encode(scores), pinned
        with self._writing():
            self._run(_SAY, *row)
            self._run(_SUM + _OF_ONE, left, right, kind, by)
        return Judgement(left, right, kind, fits, score, by, at, system, scores, pinned)

    def withdraw(self, pair: tuple[str, str], kind: SimilarityType, by: str) -> None:
        """Take back what somebody said of a pair; raises ``InvalidRequest`` where they said nothing."""
        left, right = sorted(pair)
        with self._writing():
            judgement = left, right, kind, by
            if not self._all("SELECT 1 " + _FROM_ONE, *judgement):
                raise InvalidRequest(f"{by} said nothing of {left!r} and {right!r} in {kind}")
            self._run("DELETE " + _FROM_ONE, *judgement)

    def settled(self) -> list[Judgement]:
        """What was said last of a pair in a type, where that is rejected or pinned; the older first."""
        rows = self._sound(_ALL + "ORDER BY at, who, one, other")
        # what is said anew moves to the end
        last = dict[tuple[str, str, SimilarityType], Judgement]()
        for one in map(_judgement, rows):
            last.pop((one.left, one.right, one.type), None)
            last[one.left, one.right, one.type] = one
        return [one for one in last.values() if one.pinned or not one.fits]

    def about(self, item: str) -> list[Judgement]:
        """What was said of an item beside others, the last first."""
        query = _ALL + "WHERE ? IN (one, other) ORDER BY at DESC, one, other, type, who"
        return list(map(_judgement, self._sound(query, item)))

    def every(self) -> list[Judgement]:
        """All judgements, in the order of the pairs."""
        rows = self._sound(_ALL + "ORDER BY one, other, type, who")
        return list(map(_judgement, rows))


_SAY: Final = "INSERT OR REPLACE INTO judgements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)"
_ALL: Final = """SELECT one, other, type, fits, score, who, at, system, scores, pinned, checksum
    FROM judgements """
_OF_ONE: Final = " WHERE one = ? AND other = ? AND type = ? AND who = ?"
_FROM_ONE: Final = "FROM judgements" + _OF_ONE


def _judgement(row: ResultRow) -> Judgement:
    one, other, kind, fits, *rest, scores, pinned = row
    return Judgement._make((one, other, kind, bool(fits), *rest, msgspec.json.decode(scores), bool(pinned)))


class FeedbackOverrides:
    """The pairs that curators rejected or pinned, by what was said last of each; it counts at once.

    Raises ``FeedbackError`` where the file cannot be read (every method may).
    """

    def __init__(self, file: Path) -> None:
        self._file, self._feedback = file, Feedback(file)
        self._read: _Settled = _Settled((), "", {}, {})

    @property
    def mark(self) -> str:
        """A text that differs where other pairs are rejected or pinned; empty where none is."""
        return self._current().mark

    def rejected(self, items: Iterable[str]) -> Mapping[SimilarityType, frozenset[str]]:
        """For each type the items that are rejected beside one of ``items``."""
        pairs, rejected = self._current().rejected, defaultdict[SimilarityType, set[str]](set)
        for item in items if pairs else ():
            for kind, others in pairs.get(item, {}).items():
                rejected[kind].update(others)
        return {kind: frozenset(others) for kind, others in rejected.items()}

    def pinned(self, item: str) -> Mapping[SimilarityType, Sequence[str]]:
        """For each type the items that are pinned beside an item, what was pinned first in front."""
        return self._current().pinned.get(item, {})

    def _current(self) -> "_Settled":
        written = last_written(self._file)
        if written != self._read.written:
            settled = self._feedback.settled()
            mark = ""
            if settled:
                pairs = [(one.left, one.right, one.type, one.pinned) for one in settled]
                mark = hashlib.sha256(msgspec.json.encode(pairs)).hexdigest()
            rejected = _by_item(one for one in settled if not one.fits)
            self._read = _Settled(written, mark, rejected, _by_item(one for one in settled if one.pinned))
        return self._read


_ByItem: TypeAlias = Mapping[str, Mapping[SimilarityType, Sequence[str]]]


class _Settled(NamedTuple):
    """The rejected and the pinned pairs, by either item, as a file had them that looked so."""

    written: WriteMark
    mark: str
    rejected: _ByItem
    pinned: _ByItem


def _by_item(judgements: Iterable[Judgement]) -> _ByItem:
    """By either item and type the other items, in the order of the judgements."""
    pairs: dict[str, dict[SimilarityType, list[str]]] = {}
    for one in judgements:
        for item, other in ((one.left, one.right), (one.right, one.left)):
            pairs.setdefault(item, {}).setdefault(one.type, []).append(other)
    return pairs


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
