"""Annotations: what people say of pairs that were drawn for them, in every type at once."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

import msgspec

from ingest.errors import AnnotationsError, InvalidRequest
from ingest.storage.database import FileFormat, Store
from models.official import SCALE, SimilarityType

_ANNOTATIONS: Final = (
    """CREATE TABLE annotations (
        one TEXT NOT NULL, other TEXT NOT NULL, who TEXT NOT NULL, name TEXT NOT NULL, at TEXT NOT NULL,
        scores BLOB NOT NULL, PRIMARY KEY (one, other, who)
    ) STRICT, WITHOUT ROWID""",
)

AnnotatedScores = Mapping[SimilarityType, float | None]
"""A number of each type that was judged, None for a type that does not apply to the pair."""


class Annotation(NamedTuple):
    """What one annotator says of one pair; ``who`` is the id of their key and ``name`` the key's name.

    The two ids stand in their order, whichever item was shown first. They are the same where one record was
    shown twice, as a control question.
    """

    one: str
    other: str
    who: str
    name: str
    at: str
    scores: AnnotatedScores


class Annotations(Store):
    """The annotations of all who judged; what one of them says of a pair again replaces it."""

    FORMAT = FileFormat(
        application=0x4B414E4E,  # "KANN"
        steps=(_ANNOTATIONS,),
        error=AnnotationsError,
        lacks="holds no annotations",
        remedy="put back the one of a backup (kindred restore FILE --replace), or move it away to begin anew",
    )

    def say(self, pair: tuple[str, str], who: str, name: str, scores: AnnotatedScores) -> Annotation:
        """Store an annotation; it is on the disk when this returns.

        Raises ``InvalidRequest`` for no score at all, or one off the scale.
        """
        if not scores:
            raise InvalidRequest("nothing was judged; give a number, or say that the type does not apply")
        for kind, score in scores.items():
            if score is not None and not SCALE[0] <= score <= SCALE[1]:
                raise InvalidRequest(f"{kind}: a score is from {SCALE[0]:g} to {SCALE[1]:g}, not {score:g}")
        one, other = sorted(pair)
        at = datetime.now(UTC).isoformat(timespec="seconds")
        with self._writing():
            self._run(
                "INSERT OR REPLACE INTO annotations VALUES (?, ?, ?, ?, ?, ?)",
                *(one, other, who, name, at, msgspec.json.encode(scores)),
            )
        return Annotation(one, other, who, name, at, scores)

    def every(self) -> list[Annotation]:
        """All annotations, in the order of the pairs."""
        return self._read("SELECT * FROM annotations ORDER BY one, other, who")

    def of(self, who: str) -> dict[tuple[str, str], Annotation]:
        """Those of one annotator, by the pair in the order of its ids."""
        rows = self._read("SELECT * FROM annotations WHERE who = ?", who)
        return {(row.one, row.other): row for row in rows}

    def _read(self, query: str, *parameters: str) -> list[Annotation]:
        rows = self._all(query, *parameters)
        return [Annotation._make((*rest, msgspec.json.decode(scores))) for *rest, scores in rows]
