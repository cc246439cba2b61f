"""How fast records come into the catalogue: ``python -m bench.ingest MAPPING=FILE ...``.

Prints a table and writes bench/results/ingest.json: records, seconds on the clock and of the
processor, records a second of each, peak memory; once into a new catalogue (``first``) and once more
over it, when nothing has changed (``again``).
"""

import resource
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import NamedTuple

from ruamel.yaml import YAML

from bench.tables import publish
from ingest.imports import Imports
from ingest.ingestion import Summary, ingest
from ingest.mapping import Mapping

ROOT = Path(__file__).parent.parent


class _Row(NamedTuple):
    run: str
    file: str
    records: int
    seconds: float
    cpu_seconds: float
    records_per_second: int
    records_per_cpu_second: int


def main(arguments: list[str]) -> None:
    """Measure the files named ``mapping=path``."""
    declared = YAML(typ="safe").load((ROOT / "config.yaml").read_text())["mappings"]
    inputs = [(name, Path(path)) for name, path in (argument.split("=", 1) for argument in arguments)]
    rows: list[_Row] = []
    with tempfile.TemporaryDirectory() as folder, Imports(Path(folder, "catalogue.sqlite")) as catalogue:
        for run in ("first", "again"):
            found: list[Summary] = []
            spent: list[float] = []
            for name, path in inputs:
                mapping = Mapping.model_validate(declared[name])
                cpu = process_time()
                found.append(ingest([path], mapping, catalogue, Path(folder, "rejects.jsonl")))
                spent.append(process_time() - cpu)
                rows.append(_row(run, path.name, found[-1:], spent[-1]))
            rows.append(_row(run, "all", found, sum(spent)))
            _print_counts(found)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    publish("ingest", [row._asdict() for row in rows], peak_rss_mib=peak)


def _row(run: str, file: str, found: list[Summary], cpu: float) -> _Row:
    records, seconds = sum(each.read for each in found), sum(each.seconds for each in found)
    rates = round(records / seconds), round(records / cpu)
    return _Row(run, file, records, round(seconds, 2), round(cpu, 2), *rates)


def _print_counts(found: list[Summary]) -> None:
    for name in ("added", "changed", "unchanged", "repeated", "rejected"):
        print(f"{name}: {sum(getattr(summary, name) for summary in found):,}", end="  ")
    print()


if __name__ == "__main__":
    main(sys.argv[1:])
