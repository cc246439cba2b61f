"""Pick one of twenty (Beyer 2015, 4.3.2): ``python -m bench.picking SHARED STATE [CHOICES]``.

SHARED holds ``data/records`` and ``data/wikipedia``, STATE is a folder for the profiles of what is read. In
some files of records one is asked for that says of which series, album or book it is part. Of twenty records
of the same file one is of the same set; the others are of no set that any chain connects with it, of the same
maker as far as there are so many. All say nothing of their sets. In the Wikipedia selection one article links
to the one that is asked for, or the other way round; the others have no link with it and none with an article
that has one, and are of the same subject as far as there are so many. Of each its first words are read.

For each system, by its type ``general``, and for each feature: the share of choices in which the right one of
the twenty scores highest, and by how much it is more than with the usual cosine in the same choices; each
with its 95 % interval. By chance it is .05. Prints a table and writes bench/results/picking.json. The same
records and the same number of choices give the same figures.
"""

import gzip
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import numpy as np

from bench.served import configured
from bench.tables import publish
from evaluation.picking.choices import Accuracy, OneOfTwenty, accuracy, choices, difference, picked
from evaluation.picking.relations import link_relations, set_relations, without_sets
from evaluation.scoring import prepare
from evaluation.typed import Pairs
from features.arrays import Doubles
from ingest.record import Record, values
from models.official import OFFICIAL
from models.regressors.linear import OneSettings
from models.systems import SystemSettings, untrained
from service.opening import open_system
from service.settings import Settings
from training.record_files import mapped, path_of

NUMBER: Final = 100
SEED: Final = 20150401
FILES: Final = ("cmoa", "tate", "walters", "carter", "moma", "nlnamaps", "rijks")
"""Those with more than twenty sets that their names tell to be sets. Of the coins of princoin the rules take
days and places of a find for sets."""

WORDS: Final = 120
"""Of an article its first words: as much as a long description of a record has."""

SYSTEMS: Final = ("kindred",)
USUAL: Final = "all_tfidf"
FEATURES: Final = (
    USUAL,
    "sentences_all",
    "char_2",
    "char_3",
    "char_4",
    "gst_3",
    "lc_substring",
    "lc_subsequence",
    "lc_subsequence_norm",
    "word_containment_1_sw",
    "word_containment_2_sw",
    "word_jaccard_1",
    "word_jaccard_3",
    "word_jaccard_4",
    "word_jaccard_2_sw",
    "word_jaccard_4_sw",
)
"""The usual cosine, that of the compact encoder, and the fourteen string measures of the source."""

_HEAD: Final = re.compile(r"(?s)\A.*?Related\s+subjects:\s*(.*?)\n\n")
"""What stands above an article: its title, and the subjects that it was put under."""


class Exercise(NamedTuple):
    """Choices among the records of one collection."""

    name: str
    records: Mapping[str, Record]
    choices: list[OneOfTwenty]


def main(shared: Path, state: Path, number: int) -> None:
    """Measure and publish."""
    settings = configured(state, None)
    rows: list[dict[str, object]] = []
    of_sets: list[dict[str, Doubles]] = []
    for exercise in _of_sets(shared, settings, number):
        of_sets.append(_measured(exercise, settings))
        rows += _rows(exercise.name, of_sets[-1])
    together = {name: np.concatenate([one[name] for one in of_sets]) for name in of_sets[0]}
    rows += _rows("all files of records", together)
    articles = _of_links(shared, number)
    rows += _rows(articles.name, _measured(articles, settings))
    publish("picking", rows, chance=0.05, seed=SEED)


def _rows(collection: str, measured: Mapping[str, Doubles]) -> list[dict[str, object]]:
    rows = []
    for system, shares in measured.items():
        about = {"collection": collection, "choices": len(shares), "by": system}
        own, more = accuracy(shares, SEED), difference(shares, measured[USUAL], SEED)
        rows.append({**about, **_figures("accuracy", own), **_figures(f"more_than_{USUAL}", more)})
    return rows


def _figures(name: str, result: Accuracy) -> dict[str, float]:
    figures = {
        name: result.accuracy,
        f"{name}_low": result.interval.low,
        f"{name}_high": result.interval.high,
    }
    return {each: round(figure, 3) for each, figure in figures.items()}


def _of_sets(shared: Path, settings: Settings, number: int) -> Iterator[Exercise]:
    for file in FILES:
        with gzip.open(path_of(shared, file), "rb") as lines:
            read = (mapped(settings.mappings, file, msgspec.json.decode(line)) for line in lines)
            # the product lists no exact duplicates either
            records = {record.fields_hash: record for record in read if record.has_text}
        relations, queries = set_relations(records.values())
        shown = {record.id: without_sets(record) for record in records.values()}
        makers = {item: record.creator[0].text for item, record in shown.items() if record.creator}
        drawn = choices(relations, shown, number, SEED, queries=queries, categories=makers)
        yield Exercise(file, shown, drawn)


def _of_links(shared: Path, number: int) -> Exercise:
    folder = shared / "data" / "wikipedia"
    with gzip.open(folder / "articles.jsonl.gz", "rb") as lines:
        texts = [msgspec.json.decode(line, type=dict[str, str]) for line in lines]
    articles = {given["title"]: _article(given) for given in texts}
    subjects = {given["title"]: _HEAD.findall(given["text"]) for given in texts}
    first = {title: heads[0].partition(";")[0] for title, heads in subjects.items() if heads}
    with gzip.open(folder / "links.tsv.gz", "rt", encoding="utf-8") as lines:
        ends = (line.rstrip("\n").split("\t") for line in lines)
        relations = link_relations((one, two) for one, two in ends if {one, two} <= articles.keys())
    drawn = choices(relations, relations, number, SEED, categories=first, steps=2)
    return Exercise("wikipedia", articles, drawn)


def _article(given: Mapping[str, str]) -> Record:
    words = _HEAD.sub("", given["text"], count=1).split()[:WORDS]
    return Record(id=given["title"], title=values(given["title"]), description=values(" ".join(words)))


def _measured(exercise: Exercise, settings: Settings) -> dict[str, Doubles]:
    """What each system and feature picks."""
    ids = [pair for choice in exercise.choices for pair in choice.pairs]
    left, right = ([exercise.records[pair[side]] for pair in ids] for side in (0, 1))
    systems: dict[str, SystemSettings] = {name: settings.system(name) for name in SYSTEMS}
    systems |= {name: _alone(name) for name in FEATURES}
    table, _ = prepare(settings, Pairs(ids, left, right, None), systems)
    shares = {}
    for name, row in systems.items():
        system = open_system(settings, name) if row.trained else untrained(name, row)
        scores = system.score(table.over(row.needs))[:, OFFICIAL.index("general")]
        shares[name] = picked(scores.reshape(len(exercise.choices), -1))
    return shares


def _alone(feature: str) -> SystemSettings:
    return OneSettings(title=feature, regressor="one", one=dict.fromkeys(OFFICIAL, feature))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("name the shared folder and that of the profiles: python -m bench.picking SHARED STATE")
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else NUMBER)
