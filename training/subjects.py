"""Trains the model of predicted subjects from Tate's subject index.

The shared records of Tate name the categories of their subjects as paths (``subject_path``). Records of
the typed pairs are left out, and with them every record of the same title; of the others each title
counts once and no creator more than so often, since one bequest is half of the collection. A record is
learnt from twice, by its title and by half of its subject terms: the words that name a category must
not be all that tells of it.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from features.knowledge.subjects.model import LEVELS, SubjectsManifest, Weights, level, prefixes, save, top
from features.text.sentences import WIDTH, Encoder, fingerprint, quantised
from ingest.errors import UnreadableFile
from ingest.typed_files import pair_ids
from training.corpora import read_rows

LEFT_OUT: Final = ("abstraction/from", "emotions, concepts and ideas/formal")
"""Categories that begin so tell how a picture is made, not what it shows."""

_HELD_OUT: Final = 10
"""One record, or one creator, in so many is kept out when the model is tested."""

_LONGEST_TITLE: Final = 200

Say = Callable[[str], None]
Matrix = npt.NDArray[np.float64]
Tells = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TaggerSettings:
    """The sizes of a run; the defaults made the model that comes with Kindred."""

    records: int = 14_000
    of_creator: int = 1500
    least: int = 40
    """Records that a category needs; of a place ``least_places``."""
    least_places: int = 30
    ridge: float = 5.0
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Example:
    """What is learnt from a record: two texts, and the categories it is filed under."""

    creator: str
    title: str
    subjects: str
    categories: frozenset[str]


def train_subjects(
    shared: Path, out: Path, *, settings: TaggerSettings | None = None, say: Say = lambda _: None
) -> dict[str, float]:
    """Train and write the model; gives its size and, of records that were kept out, the AUC of each level.

    Raises:
        ResourceMissing: the sentence encoder is not installed.
        UnreadableFile: no records of Tate in ``shared/data/records``.
    """
    settings = settings or TaggerSettings()
    encoder = Encoder()
    examples = sample(_rows(shared), left_out(shared), settings)
    say(f"{len(examples):,} records; making the vectors of two texts of each")
    titles = _vectors(encoder, [one.title for one in examples])
    terms = _vectors(encoder, [one.subjects for one in examples])
    categories = counted(examples, settings)
    filed = np.array([[name in one.categories for name in categories] for one in examples])
    say(f"learning {len(categories)} categories")
    auc = _tested(examples, (titles, terms), filed, categories, settings)
    weights = ridge(np.vstack([titles, terms]), np.vstack([filed, filed]), settings.ridge)
    manifest = SubjectsManifest(
        encoder=fingerprint(),
        categories=categories,
        frequencies=tuple(round(share, 6) for share in filed.mean(axis=0).tolist()),
        records=len(examples),
        auc=auc,
        weights_sha256="",
    )
    size = save(out, manifest, weights)
    return {"records": len(examples), "categories": len(categories), "bytes": size, **auc}


def left_out(shared: Path) -> frozenset[str]:
    """The ids of all records of the typed pairs."""
    folders = sorted(path for path in (shared / "data" / "typed").glob("*") if path.is_dir())
    return frozenset(name for folder in folders for pair in pair_ids(folder) for name in pair)


def sample(
    rows: Iterable[dict[str, object]], left_out: frozenset[str], settings: TaggerSettings
) -> list[Example]:
    """Draw the records that are learnt from; the same ones for the same records and seed."""
    chance = random.Random(settings.seed)  # noqa: S311 - a sample, no secret
    filed = [row for row in rows if row.get("title") and row.get("subject") and row.get("subject_path")]
    titles = {str(row["title"]) for row in filed if row["id"] in left_out}
    chance.shuffle(filed)
    by, found = Counter[str](), list[Example]()
    for row in filed:
        creator, title = _texts(row, "creator")[:1] or ["?"], str(row["title"])
        if title in titles or by[creator[0]] >= settings.of_creator:
            continue
        titles.add(title)
        by[creator[0]] += 1
        terms = _texts(row, "subject")
        half = chance.sample(terms, (len(terms) + 1) // 2)
        under = frozenset(name for path in _texts(row, "subject_path") for name in prefixes(path))
        found.append(Example(creator[0], title[:_LONGEST_TITLE], ", ".join(half), under))
        if len(found) == settings.records:
            break
    return found


def counted(examples: Sequence[Example], settings: TaggerSettings) -> tuple[str, ...]:
    """The categories that enough records have, in alphabetical order."""
    counts = Counter(name for one in examples for name in one.categories)
    return tuple(
        name
        for name, count in sorted(counts.items())
        if count >= (settings.least_places if top(name) == "places" else settings.least)
        and not name.startswith(LEFT_OUT)
    )


def ridge(vectors: Matrix, filed: Tells, strength: float) -> Weights:
    """Weights float16[vectors' width + 1, categories] of a ridge regression, the intercepts last.

    >>> # texts of 1, which has the category, and -1, which has not: (1 + 1 + 2) w = 1 for slope and intercept
    >>> ridge(np.array([[1.0], [-1.0]]), np.array([[True], [False]]), 2.0).tolist()
    [[0.25], [0.25]]
    """
    wide = np.hstack([vectors, np.ones((len(vectors), 1))])
    found: Matrix = np.linalg.solve(wide.T @ wide + strength * np.eye(wide.shape[1]), wide.T @ filed)
    return found.astype(np.float16)


def _tested(
    examples: Sequence[Example],
    vectors: Sequence[Matrix],
    filed: Tells,
    categories: Sequence[str],
    settings: TaggerSettings,
) -> dict[str, float]:
    """The mean AUC of each level's categories, of titles and of terms, for records and creators kept out."""
    from sklearn.metrics import roc_auc_score

    creators = sorted({one.creator for one in examples})
    tenth = set(creators[::_HELD_OUT])
    kept_out = {
        "records": np.arange(len(examples)) % _HELD_OUT == 0,
        "creators": np.array([one.creator in tenth for one in examples]),
    }
    levels = np.array([level(name) for name in categories])
    found: dict[str, float] = {}
    for unit, test in kept_out.items():
        weights = ridge(
            np.vstack([each[~test] for each in vectors]), np.vstack([filed[~test]] * 2), settings.ridge
        ).astype(np.float64)
        positive = filed[test].sum(axis=0)
        # AUC needs records with and without
        known = (positive > 0) & (positive < test.sum())
        for text, each in zip(("title", "terms"), vectors, strict=True):
            predicted = each[test] @ weights[:-1]
            for deep in range(1, LEVELS + 1):
                asked = known & (levels == deep)
                mean = float(roc_auc_score(filed[test][:, asked], predicted[:, asked]))
                found[f"auc_{unit}_{text}_level_{deep}"] = round(mean, 4)
    return found


def _vectors(encoder: Encoder, texts: Sequence[str]) -> Matrix:
    """Unit vectors float64[texts, 384], from 8 bits as profiles hold them."""
    distinct = list(dict.fromkeys(texts))
    numbers = quantised(encoder.encode(distinct)).astype(np.float64)
    units = numbers / np.linalg.norm(numbers, axis=1, keepdims=True)
    places = {text: place for place, text in enumerate(distinct)}
    chosen: Matrix = units[[places[text] for text in texts]].reshape(-1, WIDTH)
    return chosen


def _rows(shared: Path) -> Iterator[dict[str, object]]:
    path = shared / "data" / "records" / "tate.jsonl.gz"
    if not path.is_file():
        raise UnreadableFile(f"no {path}; name the folder that holds data/records/tate.jsonl.gz")
    yield from read_rows(path)


def _texts(row: dict[str, object], name: str) -> list[str]:
    values = row.get(name)
    return [str(value) for value in values] if isinstance(values, list) else []
