"""`python -m features.training --shared DIR --out DIR`: trains and scores a set of models."""

import argparse
import sys
from pathlib import Path

from features.training import TrainingSources, train_all
from features.training.museum import texts_of_json, texts_of_listing
from features.training.sources import Texts


def main(arguments: list[str] | None = None) -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(prog="features.training", description=__doc__)
    parser.add_argument("--shared", type=Path, required=True, help="folder that holds data/ud, data/ner, ...")
    parser.add_argument("--out", type=Path, required=True, help="folder for the models")
    parser.add_argument(
        "--texts", type=Path, required=True, help="texts of the labelled values: .jsonl or folder"
    )
    parser.add_argument("--test", type=Path, help="labels of the test records, tests/data/entities/test.tsv")
    parser.add_argument("--work", type=Path, help="folder for half-done work, to go on after a stop")
    given = parser.parse_args(arguments)
    scores = train_all(
        TrainingSources.from_shared(given.shared),
        given.out,
        _texts(given.texts),
        test=given.test,
        work=given.work,
        say=lambda line: print(line, file=sys.stderr, flush=True),  # noqa: T201 (a command's progress)
    )
    for name, value in scores.items():
        sys.stdout.write(f"{name}\t{value}\n")


def _texts(path: Path) -> Texts:
    return texts_of_listing(sorted(path.glob("*.t*.txt"))) if path.is_dir() else texts_of_json(path)


if __name__ == "__main__":
    main()
