"""Pairs and judgements of one's own, from a table or JSON lines, in the layout of Typed-Similarity.

A row is what one annotator says of one pair: ``left`` and ``right`` name the records, ``annotator`` who
judged (absent: one annotator for all), and each column that is named as a type has a number on the scale,
``NA`` for a type that does not apply, or nothing. What the records say stands in the catalogue, or beside the
judgement in columns such as ``left_title`` and ``right_date``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from evaluation.raters import against_rest, krippendorff_alpha
from evaluation.readers import ANNOTATIONS
from features.arrays import Bools, Doubles
from ingest.errors import PairsError, UsageError
from ingest.reading.files import rows
from ingest.reading.row import CellRow, Json
from ingest.record import Field, Record, values
from ingest.storage.files import unwritable_output, write_whole
from ingest.typed_files import NA, ScoredPair, write_pairs
from models.types import SCALE, SimilarityType

_SIDES: Final = ("left", "right")
_BETWEEN: Final = "|"
_NOBODY: Final = "1"
IdPair: TypeAlias = tuple[str, str]


class Scale(NamedTuple):
    """The lowest and the highest number that an annotator could give."""

    low: float
    high: float

    @classmethod
    def of(cls, text: str) -> "Scale":
        """From ``LOW-HIGH``; raises ``UsageError``.

        >>> Scale.of("1-7")
        Scale(low=1.0, high=7.0)
        """
        low, _, high = text.partition("-")
        try:
            scale = cls(float(low), float(high))
        except ValueError:
            scale = cls(0.0, 0.0)
        if scale.low >= scale.high:
            raise UsageError(f"--scale is {text!r}; write its lowest and highest number, as in 0-5 or 1-7")
        return scale

    def official(self, number: float) -> float:
        """The number on the scale from 0 to 5.

        >>> Scale(1.0, 7.0).official(4.0)  # half way
        2.5
        """
        low, high = SCALE
        return low + (high - low) * (number - self.low) / (self.high - self.low)


class Judgements(NamedTuple):
    """What annotators said: of each pair and annotator a number for each type, NaN where there is none.

    ``numbers`` is float64[pairs, annotators, types] on the official scale, 0 where ``not_applicable``, of the
    same shape, says that the annotator found no such thing in either record. ``records`` are those of the
    pairs that are known.
    """

    pairs: list[IdPair]
    annotators: list[str]
    types: tuple[SimilarityType, ...]
    numbers: Doubles
    not_applicable: Bools
    records: dict[str, Record]

    @property
    def gold(self) -> Doubles:
        """The mean over the annotators, float64[pairs, types]; NaN where nobody said anything.

        Who finds that a type does not apply leaves it to the others, as in the source (thesis 5.3.3); where
        nobody finds anything of it the gold is 0.

        >>> numbers, never = np.array([[[4.0], [0.0]], [[0.0], [0.0]]]), np.array([[[0], [1]], [[1], [1]]])
        >>> pairs = [("a", "b"), ("a", "c")]
        >>> Judgements(pairs, ["ann", "bob"], ("time",), numbers, never > 0, {}).gold.tolist()
        [[4.0], [0.0]]
        """
        given = ~np.isnan(self.numbers) & ~self.not_applicable
        sums, counts = np.where(given, self.numbers, 0.0).sum(axis=1), given.sum(axis=1)
        means = sums / np.maximum(counts, 1)  # 0 where all say that it does not apply
        return np.where((counts > 0) | self.not_applicable.any(axis=1), means, np.nan)

    def agreement(self) -> dict[str, dict[SimilarityType, float | None]]:
        """How far the annotators agree, by type: the mean r of each with the rest, and Krippendorff's alpha.

        Empty where there is one annotator; None where a figure is undefined.
        """
        if len(self.annotators) < 2:
            return {}
        columns = {kind: self.numbers[:, :, place] for place, kind in enumerate(self.types)}
        rest = {kind: against_rest(column) for kind, column in columns.items()}
        return {
            "with_the_rest": {
                kind: _defined(float(np.mean(r[~np.isnan(r)])) if (~np.isnan(r)).any() else np.nan)
                for kind, r in rest.items()
            },
            "alpha": {kind: _defined(krippendorff_alpha(column)) for kind, column in columns.items()},
        }


def _defined(figure: float) -> float | None:
    return None if np.isnan(figure) else figure


def read_judgements(path: Path, types: Iterable[SimilarityType], scale: Scale) -> Judgements:
    """Read a table or JSON lines; of ``types`` those that have a column.

    Raises ``UnreadableFile`` for no such file, and ``PairsError``, with the line, for a row without two
    records, a number off the scale, two judgements of one annotator on one pair, or two texts of one record.
    """
    kinds: tuple[SimilarityType, ...] | None = None
    given: dict[tuple[IdPair, str], list[tuple[float, bool]]] = {}
    records: dict[str, Record] = {}
    for line, row in _table(path):
        if kinds is None:
            kinds = _columns(path, row, types)
        pair = _pair(path, line, row)
        key = pair, _text(row.get("annotator")) or _NOBODY
        if key in given:
            raise PairsError(f"{path}, line {line}: {key[1]} has judged {' and '.join(pair)} before")
        given[key] = [
            (_number(path, line, kind, row.get(kind), scale), _text(row.get(kind)) == NA) for kind in kinds
        ]
        for side, item in zip(_SIDES, pair, strict=True):
            described = _record(item, side, row)
            if described and records.setdefault(item, described) != described:
                raise PairsError(f"{path}, line {line}: {item} is described otherwise in a line before")
    pairs = list(dict.fromkeys(pair for pair, _ in given))
    annotators = sorted({name for _, name in given})
    columns = kinds or ()
    numbers = np.full((len(pairs), len(annotators), len(columns)), np.nan)
    not_applicable = np.zeros(numbers.shape, np.bool_)
    places = {pair: place for place, pair in enumerate(pairs)}
    for (pair, name), cells in given.items():
        here = places[pair], annotators.index(name)
        numbers[here], not_applicable[here] = [one for one, _ in cells], [never for _, never in cells]
    return Judgements(pairs, annotators, columns, numbers, not_applicable, records)


def _table(path: Path) -> Iterator[tuple[int, CellRow]]:
    for line, row, reason in rows(path):
        if not isinstance(row, dict):
            raise PairsError(f"{path}, line {line}: {reason or 'no row of a table, nor an object of JSON'}")
        yield line, row


def _columns(path: Path, row: CellRow, types: Iterable[SimilarityType]) -> tuple[SimilarityType, ...]:
    known = tuple(types)
    kinds = tuple(kind for kind in known if kind in row)
    if not kinds:
        raise PairsError(f"{path} has no column of scores; name one or more {', '.join(known)}")
    return kinds


def _pair(path: Path, line: int, row: CellRow) -> IdPair:
    left, right = (_text(row.get(side)) for side in _SIDES)
    if not left or not right or left == right:
        raise PairsError(f"{path}, line {line}: the columns left and right have to name two records")
    return left, right


def _number(path: Path, line: int, kind: SimilarityType, cell: Json, scale: Scale) -> float:
    text = _text(cell)
    if not text:
        return float("nan")
    if text == NA:
        return SCALE[0]
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        raise PairsError(f"{path}, line {line}: {kind}: {text!r} is no number, nor {NA}") from None
    if not scale.low <= number <= scale.high:
        raise PairsError(
            f"{path}, line {line}: {kind}: {text} is not between {scale.low:g} and {scale.high:g};"
            " --scale LOW-HIGH names another scale"
        )
    return scale.official(number)


def _record(item: str, side: str, row: CellRow) -> Record | None:
    """The record that one side of a row describes; None where it has no text of it."""
    fields = {field.value: values(*_values(row.get(f"{side}_{field.value}"))) for field in Field}
    record = Record(id=item, **fields)  # type: ignore[arg-type]  # the six fields
    return record if record.has_text else None


def _values(cell: Json) -> list[str]:
    cells = cell if isinstance(cell, list) else _text(cell).split(_BETWEEN)
    return [text for one in cells if (text := _text(one))]


def _text(cell: Json) -> str:
    return "" if cell is None else " ".join(str(cell).split())


def write_judgements(judgements: Judgements, types: Sequence[SimilarityType], folder: Path) -> int:
    """Write the pairs with their mean as gold, and every judgement beside them; gives how many pairs.

    ``judgements.records`` has to hold the records of all pairs; one of whose records it lacks is left out.
    """
    gold = dict(zip(judgements.types, judgements.gold.T.tolist(), strict=True))
    columns = [gold.get(kind, [float("nan")] * len(judgements.pairs)) for kind in types]
    pairs = [
        ScoredPair(pair, tuple(None if np.isnan(score) else score for score in scores))
        for pair, scores in zip(judgements.pairs, zip(*columns, strict=True), strict=True)
    ]
    number = write_pairs(folder, pairs, judgements.records)
    if number:
        lines = _annotations(judgements, types)
        write_whole(folder / ANNOTATIONS, "".join(lines).encode(), unwritable_output)
    return number


def _annotations(judgements: Judgements, types: Sequence[SimilarityType]) -> Iterator[str]:
    yield "\t".join(("pair", "annotator", *types)) + "\n"
    places = [judgements.types.index(kind) if kind in judgements.types else None for kind in types]
    known = (
        pair
        for pair in zip(judgements.pairs, judgements.numbers, strict=True)
        if _is_known(pair[0], judgements.records)
    )
    for number, (_, rows_of) in enumerate(known, 1):
        for name, row in zip(judgements.annotators, rows_of, strict=True):
            if not np.isnan(row).all():
                cells = (
                    NA if place is None or np.isnan(row[place]) else f"{row[place]:g}" for place in places
                )
                yield "\t".join((str(number), name, *cells)) + "\n"


def _is_known(pair: IdPair, records: Mapping[str, Record]) -> bool:
    return all(item in records and not set("\t\n") & set(item) for item in pair)
