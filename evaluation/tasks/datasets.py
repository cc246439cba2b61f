"""The pairs of the tasks as they are given out: STS 2012 to 2016, the STS Benchmark, CLSS and STSS-131.

``data`` is a folder with ``stsb``, ``semeval``, ``clss`` and ``STSS-131-Dataset.csv``, each with the files
that its makers give out. Every set has gold; the scale differs from task to task, which r does not see.
"""

import csv
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np

from features.arrays import Doubles
from ingest.errors import PairsError, UnreadableFile

TaskName = Literal["stsb", "semeval", "clss", "stss", "typed"]
LEVELS: Final = ("paragraph2sentence", "sentence2phrase", "phrase2word", "word2sense")
"""The comparisons of CLSS, from the largest texts to the smallest."""
_SEMEVAL: Final = {
    2012: ("MSRpar", "MSRvid", "SMTeuroparl", "OnWN", "SMTnews"),
    2013: ("headlines", "OnWN", "FNWN", "SMT"),
    2014: ("deft-forum", "deft-news", "headlines", "images", "OnWN", "tweet-news"),
    2015: ("answers-forums", "answers-students", "belief", "headlines", "images"),
    2016: ("answer-answer", "headlines", "plagiarism", "postediting", "question-question"),
}
YEARS: Final = tuple(_SEMEVAL)


@dataclass(frozen=True, slots=True, eq=False)
class TextPairs:
    """A set of pairs of texts with their gold float64[pairs], of one part of a task.

    ``train`` says whether systems may learn from it. ``level`` is the comparison of CLSS, whose words are
    written ``physicist#n`` and whose senses ``Daniel_Bernoulli#n#1``; empty elsewhere.
    """

    name: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    gold: Doubles
    train: bool = False
    level: str = ""

    def __len__(self) -> int:
        return len(self.left)


def stsb(data: Path) -> list[TextPairs]:
    """The STS Benchmark: train, dev (which chooses, and is given as training data) and test."""
    return [
        replace(
            _columns(f"stsb {part}", _table(data / "stsb" / f"sts-{part}.csv"), 5, 6, 4), train=part != "test"
        )
        for part in ("train", "dev", "test")
    ]


def semeval(data: Path, year: int) -> list[TextPairs]:
    """The test sets of a year; of 2012 the training sets before them.

    Those of MSRvid stand in the STS Benchmark, which names where each pair is from.
    """
    folder = data / "semeval" / str(year)
    trained = ("MSRpar", "MSRvid", "SMTeuroparl") if year == 2012 else ()
    sets = [_semeval_set(data, folder, name, "train") for name in trained]
    return sets + [_semeval_set(data, folder, name, "test") for name in _SEMEVAL[year]]


def _semeval_set(data: Path, folder: Path, name: str, part: str) -> TextPairs:
    title = f"{folder.name} {name} {part}"
    if name == "MSRvid":
        rows = [row for each in ("train", "dev", "test") for row in _table(data / "stsb" / f"sts-{each}.csv")]
        own = [row for row in rows if row[1:3] == ["MSRvid", f"2012{part}"]]
        pairs = _columns(title, own, 5, 6, 4)
    elif name == "SMT":
        texts, gold = (_table(folder / f"STS.{kind}.SMT.txt") for kind in ("input", "gs"))
        pairs = _columns(title, _beside(title, texts, gold, 2), 0, 1, 2)
    else:
        pairs = _columns(title, _table(folder / f"{name}.{part}.tsv"), 1, 2, 0)
    return replace(pairs, train=part == "train")


def clss(data: Path) -> list[TextPairs]:
    """Both parts of each level of cross-level similarity (SemEval-2014, task 3), 0 to 4."""
    sets = []
    for part, short in (("training", "train"), ("test", "test")):
        for level in LEVELS:
            rows = _table(data / "clss" / "data" / part / f"{level}.{short}.input.tsv")
            gold = _table(data / "clss" / "keys" / part / f"{level}.{short}.gs.tsv")
            second = 2 if level == LEVELS[-1] else 1
            joined = _beside(f"{level} {short}", rows, gold, second + 1)
            pairs = _columns(f"{level} {short}", joined, 0, second, second + 1)
            sets.append(replace(pairs, train=part == "training", level=level))
    return sets


def stss(data: Path) -> list[TextPairs]:
    """STSS-131 (O'Shea et al. 2013): 66 pairs, 0 to 4, nothing to learn from."""
    path = data / "STSS-131-Dataset.csv"
    rows = [line.split(";") for line in _lines(path)[1:]]
    return [_columns("STSS-131", rows, 1, 2, 3)]


def read_task(task: TaskName, data: Path) -> list[TextPairs]:
    """All sets of a task of texts; raises ``UnreadableFile`` and ``PairsError``, with the file."""
    if task == "semeval":
        return [one for year in YEARS for one in semeval(data, year)]
    return {"stsb": stsb, "clss": clss, "stss": stss}[task](data)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace").rstrip("\n").split("\n")
    except OSError as error:
        raise UnreadableFile(
            f"{path} cannot be read ({error.strerror or error}); --data names the folder of the tasks"
        ) from None


def _table(path: Path) -> list[list[str]]:
    """The rows of a file with tabs; a quotation mark is a character like any other."""
    return list(csv.reader(_lines(path), delimiter="\t", quoting=csv.QUOTE_NONE))


def _beside(name: str, texts: list[list[str]], gold: list[list[str]], columns: int) -> list[list[str]]:
    """The first columns of each line of texts with the score that the same line of gold has."""
    if len(texts) != len(gold):
        raise PairsError(f"{name}: {len(texts)} lines of texts and {len(gold)} of gold")
    for number, row in enumerate(texts, 1):
        if len(row) < columns:
            raise PairsError(f"{name}, line {number}: {len(row)} columns where {columns} are due")
    return [[*one[:columns], *(two[:1] or [""])] for one, two in zip(texts, gold, strict=True)]


def _columns(name: str, rows: Iterable[list[str]], left: int, right: int, gold: int) -> TextPairs:
    """Pairs from columns of a table, without those that have no gold."""
    complete = list(_complete(name, rows, (left, right, gold)))
    return TextPairs(
        name,
        tuple(row[left].strip() for row in complete),
        tuple(row[right].strip() for row in complete),
        np.array([float(row[gold].replace(",", ".")) for row in complete]),
    )


def _complete(name: str, rows: Iterable[list[str]], columns: tuple[int, ...]) -> Iterator[list[str]]:
    for number, row in enumerate(rows, 1):
        if len(row) <= max(columns):
            raise PairsError(f"{name}, line {number}: {len(row)} columns where {max(columns) + 1} are due")
        score = row[columns[-1]].strip()
        if not score:
            continue  # the makers left most pairs of 2015 and 2016 without gold
        try:
            value = float(score.replace(",", "."))
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise PairsError(f"{name}, line {number}: {score!r} is no score")
        yield row
