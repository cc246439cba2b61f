"""Pairs with one record in another language: ``python -m bench.translated SHARED STATE [BUILT]``.

``bench/data/translated.tsv`` has one record of 180 pairs of ``data/typed/train`` and ``walters``, thirty in
each of six languages: title, subjects and description, translated by machine (a language model, one by one,
in the style of catalogues). Nothing is learnt from them. SHARED holds ``data/typed``, STATE is a folder for
the profiles. By language, by the default system with the weights at hand:

- ``english``, ``translated``: Pearson's r with the gold (model-annotated), the mean over the types;
- ``first``: of the translated records, the share whose own English record is the nearest of all records of
  both sets by the vectors of titles, subjects and descriptions;
- ``first_of_all``: the same among all items of the collection in the state folder BUILT, which has these
  records, and ``among_ten``: the share whose own is among the ten nearest there;
- ``first_by_score``, ``ten_by_score``: the same by the system's score of the type general, of all fields.

Prints a table and writes bench/results/translated.json.
"""

import csv
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from bench.tables import publish
from evaluation.correlation import pearson
from evaluation.scoring import analysed_pairs
from evaluation.typed import DirectoryPairs, Pairs, joined, read_pairs
from features.arrays import Bools, Doubles, Floats, Ints, Singles
from features.collection.collection import Built, Query
from features.profiles.analysis import fingerprint
from features.profiles.blocks import Block
from features.profiles.profile import decode
from ingest.catalogue import Catalogue
from ingest.record import Record, Value
from models.systems import System
from service.opening import open_resources, open_system
from service.search.engines.scoring import Scorer
from service.sections import StateSettings
from service.settings import load

TABLE: Final = Path(__file__).parent / "data" / "translated.tsv"
SETS: Final = ("train", "walters")
VECTOR_SIZE: Final = 384
_EQUAL: Final = 1e-6
_TEN: Final = 10


class Translation(NamedTuple):
    """One record of a pair of a set in another language; subjects have ``|`` between them."""

    set: str
    pair: str
    side: str
    language: str
    title: str
    subject: str
    description: str

    def of(self, record: Record) -> Record:
        """The record with the translated texts in place of its own."""
        named = replace(record, id=f"{record.id}@{self.language}{self.pair}")
        return translated(named, self.language, self.title, self.subject, self.description)


def translated(record: Record, language: str, title: str, subject: str, description: str) -> Record:
    """A record with texts in another language; several values have ``|`` between them, a description one."""

    def values(text: str) -> tuple[Value, ...]:
        return tuple(Value(part, language) for part in text.split("|") if part)

    described = (Value(description, language),) if description else ()
    return replace(record, title=values(title), subject=values(subject), description=described)


def translations() -> list[Translation]:
    """The rows of the table."""
    return [Translation(*row) for row in table_rows(TABLE, Translation._fields)]


def table_rows(path: Path, columns: Sequence[str]) -> list[list[str]]:
    """The rows of a file with tabs between its columns; raises ``ValueError`` where it has others."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    if rows[:1] != [list(columns)]:
        raise ValueError(f"{path} has other columns than {', '.join(columns)}")
    return rows[1:]


def main(shared: Path, state: Path, built: Path | None = None) -> None:
    """Measure and publish."""
    settings = load().model_copy(update={"state": StateSettings(directory=state)})
    name = settings.service.system
    pairs = joined([read_pairs(shared / "data" / "typed" / each, settings.types) for each in SETS])
    first, rows = {part.name: part.first for part in pairs.parts}, translations()
    places = np.array([first[row.set] + int(row.pair) - 1 for row in rows])
    both = with_translated(pairs, rows, places)
    system = open_system(settings, name)
    analysed = analysed_pairs(settings, both, {name: settings.system(name)})
    table = analysed.of_directory(both)
    scores = system.score_pairs(table.over(system.features), both.same)
    nearest = itself_first(both, rows, analysed.profiles)
    further = {} if built is None else first_of_all(both, rows, analysed.profiles, built, system)
    gold, lines = pairs.known_gold()[places], list[dict[str, object]]()
    languages = np.array([row.language for row in rows])
    for language in (*dict.fromkeys(languages.tolist()), "all"):
        own = np.flatnonzero((languages == language) | (language == "all"))
        line: dict[str, object] = {"language": language, "pairs": len(own)}
        for column, given in (("english", scores[places]), ("translated", scores[len(pairs) :])):
            line[column] = round(_mean_r(gold[own], given[own]), 3)
        line["first"] = round(float(nearest[own].mean()), 3)
        lines.append(line | {name: round(float(each[own].mean()), 3) for name, each in further.items()})
    publish("translated", lines, system=name, gold=pairs.gold_source, nearest_of=pairs.size)


def with_translated(pairs: Pairs, rows: Sequence[Translation], places: Ints) -> Pairs:
    """The pairs, and behind them those with a translated record, as one directory."""
    left, right, ids = list(pairs.left), list(pairs.right), list(pairs.ids)
    for row, place in zip(rows, places.tolist(), strict=True):
        one, other = pairs.left[place], pairs.right[place]
        one, other = (row.of(one), other) if row.side == "a" else (one, row.of(other))
        left.append(one)
        right.append(other)
        ids.append((one.id, other.id))
    part = DirectoryPairs("translated", 0, len(ids), "", pairs.gold_source)
    return Pairs(ids, left, right, None, pairs.gold_source, pairs.types, (part,))


def itself_first(both: Pairs, rows: Sequence[Translation], profiles: Mapping[str, bytes]) -> Bools:
    """Whether no record is nearer to a translated one than its own English one, bool[rows]."""
    translated_ids = _translated_ids(both, rows)
    own = set(translated_ids)
    english = [record.id for record in both.records if record.id not in own]
    vectors = unit_vectors([profiles[item] for item in english])
    place_of = {item: place for place, item in enumerate(english)}
    queries = unit_vectors([profiles[item] for item in translated_ids])
    nearer = nearer_than_own(queries @ vectors.T, [place_of[_original(item)] for item in translated_ids])
    first: Bools = nearer == 0
    return first


def first_of_all(
    both: Pairs, rows: Sequence[Translation], profiles: Mapping[str, bytes], built: Path, system: System
) -> dict[str, Bools]:
    """The same among the items of a collection, and whether fewer than ten are nearer: each bool[rows].

    By the vectors, and by the score of the type general.
    """
    settings = load().model_copy(update={"state": StateSettings(directory=built)})
    collection = Built.open(settings.state.collection, open_resources(settings))
    with Catalogue(settings.state.catalogue) as catalogue:
        stored = dict(catalogue.profiles(fingerprint(settings.models)))
    vectors = unit_vectors([stored[item] for item in collection.ids]).astype(np.float32)
    translated_ids = _translated_ids(both, rows)
    own = [profiles[item] for item in translated_ids]
    queries: Singles = unit_vectors(own).astype(np.float32)
    # behind one that two sets describe otherwise stands its set
    originals = [_original(item).partition(" (")[0] for item in translated_ids]
    places = [collection.row(item) for item in originals]
    by_vector = nearer_than_own(queries @ vectors.T, places)
    scorer, sides = Scorer(system), zip(own, places, strict=True)
    by_score = np.array([_better(collection, scorer, profile, place) for profile, place in sides])
    return {
        "first_of_all": by_vector == 0,
        "among_ten": by_vector < _TEN,
        "first_by_score": by_score == 0,
        "ten_by_score": by_score < _TEN,
    }


def _better(collection: Built, scorer: Scorer, profile: bytes, place: int) -> int:
    """How many items have a higher general score with a profile than the one at a place."""
    query = Query(Block([decode(profile)]), 0)
    scores = scorer.every(collection, query, ["general"])["general"]
    return int(nearer_than_own(scores[np.newaxis], [place])[0])


def nearer_than_own(values: Floats, places: Sequence[int]) -> Ints:
    """How many columns of each row, int[rows], are above the one at its place; two of one text are equal."""
    own = values[np.arange(len(places)), places]
    nearer: Ints = (values > own[:, np.newaxis] + _EQUAL).sum(axis=1).astype(np.int32)
    return nearer


def _translated_ids(both: Pairs, rows: Sequence[Translation]) -> list[str]:
    sides = zip(both.left[-len(rows) :], both.right[-len(rows) :], rows, strict=True)
    return [(left if row.side == "a" else right).id for left, right, row in sides]


def _original(item: str) -> str:
    return item.rpartition("@")[0]


def unit_vectors(profiles: Sequence[bytes]) -> Doubles:
    """The vectors of titles, subjects and descriptions, float64[profiles, numbers], of length 1 or 0."""
    vectors = np.zeros((len(profiles), VECTOR_SIZE))
    for row, profile in zip(vectors, profiles, strict=True):
        if (numbers := decode(profile).vector("content")) is not None:
            row[:] = np.frombuffer(numbers, dtype=np.int8)
    lengths: Doubles = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=vectors, where=lengths > 0)


def _mean_r(gold: Doubles, scores: Doubles) -> float:
    return float(np.mean([pearson(gold[:, kind], scores[:, kind]) for kind in range(gold.shape[1])]))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
