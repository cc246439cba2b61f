"""How well two readers of the same pairs agree: what a system can be expected to reach at most."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation.correlation import defined_mean, pearson
from features.arrays import Doubles
from ingest.errors import PairsError
from models.types import OFFICIAL, SimilarityType

ANNOTATIONS = "annotations.tsv"
"""The file of a set with every single judgement; a set may do without."""


@dataclass(frozen=True, slots=True)
class Readers:
    """How well two readers of the same pairs agree: the ceiling of a system. NaN where r is undefined."""

    pairs: int
    pearson: dict[SimilarityType, float]
    mean: float


def agreed(
    judged: Doubles, types: Sequence[SimilarityType], counted: Iterable[SimilarityType] | None = None
) -> Readers:
    """r between the judgements float64[pairs, 2, types] of two readers, the mean over the ``counted`` types.

    >>> judged = np.array([[[1.0], [2.0]], [[2.0], [1.0]], [[3.0], [3.0]]])
    >>> agreed(judged, ("time",)).pearson["time"].__round__(4)  # cov 1/2 of 1 * 1
    0.5
    """
    both = zip(types, judged[:, 0].T, judged[:, 1].T, strict=True)
    r = {kind: pearson(one, other) for kind, one, other in both}
    return Readers(len(judged), r, defined_mean(r[kind] for kind in (types if counted is None else counted)))


def two_readers(directory: Path, types: Iterable[SimilarityType] = OFFICIAL) -> Doubles | None:
    """The judgements of the first two readers of each pair that two have read: float64[pairs, 2, types].

    A judgement of NA is 0, as the gold has it where nobody says more. None where there is no such file.
    Raises ``PairsError`` for one without the columns ``pair`` and those of the types, and for no number.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lines = "pair\\tannotator\\ttime\\n1\\t1\\t4\\n1\\t2\\tNA\\n2\\t1\\t3\\n"
    ...     _ = Path(folder, "annotations.tsv").write_text(lines)
    ...     two_readers(Path(folder), ("time",)).tolist()
    [[[4.0], [0.0]]]
    """
    path, kinds = directory / ANNOTATIONS, tuple(types)
    if not path.is_file():
        return None
    try:
        head, *lines = [line.split("\t") for line in path.read_text(encoding="utf-8-sig").splitlines()]
        places = [head.index(kind) for kind in kinds]
        judgements: dict[str, list[list[float]]] = {}
        for cells in lines:
            row = [0.0 if cells[place] == "NA" else float(cells[place]) for place in places]
            judgements.setdefault(cells[head.index("pair")], []).append(row)
    except (ValueError, IndexError, OSError) as error:
        raise PairsError(
            f"{path} has no column of pairs and of each type, or a judgement in it is no number: {error}"
        ) from None
    both = [rows[:2] for rows in judgements.values() if len(rows) > 1]
    return np.array(both, dtype=np.float64).reshape(len(both), 2, len(kinds))
