"""Learning what a blend counts: for each type the weights by which cosines and amounts stand for its score.

A type hears a text by several curves, some of them gated by others; near the top of its lists their sum is
nearly a weighted sum of cosines and amounts. The weights are fitted over the best items of a few random ones.
"""

from typing import Final

import numpy as np

from features.arrays import Doubles, Rows
from features.collection.collection import Built
from features.measures.base import plain
from models.systems import System
from models.types import SimilarityType
from service.search.engines.elastic.blend import vector_of
from service.search.engines.elastic.documents import Documents, DocumentShape
from service.search.engines.scoring import Scorer

_ROWS: Final = 20_000
"""Items among which the best are looked for."""

_SEEDS: Final = 48
"""Items whose best ones are looked at."""

_BEST: Final = 150


def weights(built: Built, shape: DocumentShape, system: System) -> dict[str, tuple[float, ...]]:
    """For each type of a system what each part's cosine counts, and each amount behind them."""
    if system.additive is None or not shape.parts:
        return {}
    chance = np.random.default_rng(0)
    rows = np.sort(chance.choice(len(built), min(_ROWS, len(built)), replace=False))
    sums = dict[SimilarityType, tuple[Doubles, Doubles]]()
    for seed in chance.choice(rows, min(_SEEDS, len(rows)), replace=False).tolist():
        query = built.query(seed)
        scores = Scorer(system).some(built, query, dict.fromkeys(system.types, rows))
        for kind, found in scores.items():
            known = np.flatnonzero(np.isfinite(found) & (rows != seed))
            best = rows[known[np.argsort(-found[known])[:_BEST]]]
            if len(best):
                # what all of a seed's best have alike counts nothing
                seen = _seen(built, shape, seed, best)
                seen -= seen.mean(axis=0)
                heard = _heard(built, system, kind, seed, best)
                left, right = sums.get(kind, (0.0, 0.0))
                sums[kind] = left + seen.T @ seen, right + seen.T @ (heard - heard.mean())
    return {f"{system.name} {kind}": tuple(_solved(*own).tolist()) for kind, own in sums.items()}


def _solved(left: Doubles, right: Doubles) -> Doubles:
    # what never differs counts nothing
    ridge = 1e-3 * np.trace(left) / len(left) + 1e-9
    return np.linalg.solve(left + ridge * np.eye(len(left)), right)


def _heard(built: Built, system: System, kind: SimilarityType, seed: int, rows: Rows) -> Doubles:
    """What the features that are blended add to the score of a type."""
    total, at, additive = np.zeros(len(rows)), system.position(kind), system.additive
    values = built.values(built.query(seed), rows)
    for number in np.flatnonzero(additive.active[:, at]).tolist() if additive else ():
        name = system.features[number]
        made = built.manifest.features[name].made_of or (name,)
        if additive and any(vector_of(built.columns[one]) for one in made if one in built.columns):
            total += additive.term(number, np.asarray(values[name], np.float64))[..., at]
    return total


def _seen(built: Built, shape: DocumentShape, seed: int, rows: Rows) -> Doubles:
    """The cosines of every part, and the amounts."""
    documents, cosines = Documents(shape), []
    tables = {name: plain(built.columns[name]).table.at(rows) for name in documents.columns}
    for name, vector in shape.parts:
        own = plain(built.columns[name]).table.row(seed)
        cosines.append(vector.unit(tables[name]) @ vector.unit(own)[0])
    _, amounts = documents.laid(tables, len(rows))
    return np.column_stack([*cosines, amounts]).astype(np.float64)
