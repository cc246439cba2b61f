"""`python -m training --shared DIR --out DIR`: trains and scores a set of models."""

import argparse
import sys
from pathlib import Path

from ruamel.yaml import YAML

from ingest.mapping import Mapping
from training import TrainingSources, train_all
from training.museum import texts_of_records


def main(arguments: list[str] | None = None) -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(prog="training", description=__doc__)
    parser.add_argument("--shared", type=Path, required=True, help="folder that holds data/ud, data/ner, ...")
    parser.add_argument("--out", type=Path, required=True, help="folder for the models")
    parser.add_argument("--config", type=Path, default=Path("config.yaml"), help="declares the mappings")
    parser.add_argument("--test", type=Path, help="labels of the test records, tests/data/entities/test.tsv")
    parser.add_argument("--work", type=Path, help="folder for half-done work, to go on after a stop")
    given = parser.parse_args(arguments)
    sources = TrainingSources.from_shared(given.shared)
    scores = train_all(
        sources,
        given.out,
        texts_of_records(sources, _mappings(given.config)),
        test=given.test,
        work=given.work,
        say=lambda line: print(line, file=sys.stderr, flush=True),  # noqa: T201 (a command's progress)
    )
    for name, value in scores.items():
        sys.stdout.write(f"{name}\t{value}\n")


def _mappings(path: Path) -> dict[str, Mapping]:
    raw = YAML(typ="safe").load(path)
    return {name: Mapping.model_validate(declared) for name, declared in raw["mappings"].items()}


if __name__ == "__main__":
    main()
