"""Where the training data lie, and the few values that a training run is made of."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

LABELS: Final = Path(__file__).parent / "labels"
"""The labels of museum records: places in their texts and kinds, without the texts."""


class ValueKey(NamedTuple):
    """Names one value of one record: the texts are looked up by it when the labels are read."""

    record: str
    field: str
    place: int


Texts = Callable[[ValueKey], str | None]
"""Gives the text of a record's value as the profile will see it, None where the record is not at hand."""


@dataclass(frozen=True, slots=True)
class TrainingSources:
    """The corpora of one training run."""

    gum: Path
    uner: Path
    wikigold: Path
    wnut: Path
    wikipedia: Path
    records: Path
    labels: Path = LABELS

    @classmethod
    def from_shared(cls, shared: Path) -> "TrainingSources":
        """Find the corpora in a folder that holds `data/ud`, `data/ner`, `data/records` and so on."""
        data = shared / "data"
        return cls(
            gum=data / "ud",
            uner=data / "ner" / "uner_ewt",
            wikigold=data / "ner" / "wikigold" / "CONLL-format" / "data" / "wikigold.conll.txt",
            wnut=data / "ner" / "wnut17" / "CONLL-format" / "data",
            wikipedia=data / "wikipedia" / "articles.jsonl.gz",
            records=data / "records",
        )

    def test_records(self) -> frozenset[str]:
        """Give the records that no model may learn from, because the final test is made on them."""
        return frozenset((self.labels / "held_out.txt").read_text(encoding="utf-8").splitlines())

    def labelled(self) -> frozenset[str]:
        """Give the records whose labels are learned from."""
        with (self.labels / "train.tsv").open(encoding="utf-8") as file:
            next(file)
            return frozenset(line.partition("\t")[0] for line in file)
