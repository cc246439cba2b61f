"""How fast records come into the catalogue: ``python -m bench.ingest MAPPING=FILE ...``.

``python -m bench.ingest made=NUMBER`` makes so many records in each of several forms from the files in
tests/data/museums, and measures those; it writes bench/results/ingest_forms.json.

Prints a table and writes bench/results/ingest.json: records, seconds on the clock and of the
processor, records a second of each, peak memory; once into a new catalogue (``first``) and once more
over it, when nothing has changed (``again``).
"""

import re
import resource
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import NamedTuple, cast

from bench.tables import publish
from ingest.imports import Imports
from ingest.ingestion import IngestSummary, ingest
from ingest.mapping import Mapping
from service import configuration

ROOT = Path(__file__).parent.parent
MUSEUMS = ROOT / "tests" / "data" / "museums"


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
    declared: dict[str, object] = {}
    for file in ("config.yaml", "mappings.yaml", "tests/data/museums/mappings.yaml"):
        declared |= cast("dict[str, object]", configuration.read(ROOT / file).tree["mappings"])
    with tempfile.TemporaryDirectory() as made:
        inputs: list[tuple[str, Path]] = []
        for name, path in (argument.split("=", 1) for argument in arguments):
            inputs += _made(Path(made), int(path)) if name == "made" else [(name, Path(path))]
        name = "ingest_forms" if arguments and arguments[0].startswith("made=") else "ingest"
        _measure(declared, inputs, name)


def _measure(declared: dict[str, object], inputs: list[tuple[str, Path]], report: str) -> None:
    rows: list[_Row] = []
    with tempfile.TemporaryDirectory() as folder, Imports(Path(folder, "catalogue.sqlite")) as catalogue:
        for run in ("first", "again"):
            summaries: list[IngestSummary] = []
            spent: list[float] = []
            for name, path in inputs:
                mapping = Mapping.model_validate(declared[name])
                cpu = process_time()
                summaries.append(ingest([path], mapping, catalogue, Path(folder, "rejects.jsonl")))
                spent.append(process_time() - cpu)
                rows.append(_row(run, path.name, summaries[-1:], spent[-1]))
            rows.append(_row(run, "all", summaries, sum(spent)))
            _print_counts(summaries)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    publish(report, [row._asdict() for row in rows], peak_rss_mib=peak)


def _made(folder: Path, number: int) -> list[tuple[str, Path]]:
    """So many records in each form, those of the museums' files again and again under other ids."""
    return [
        ("objekte", _table(folder, number)),
        ("lido", _tree(folder, "lido.xml", "lido:lido", "DE-Mb112/lido-obj00154983", number)),
        ("edm", _tree(folder, "edm.xml", "rdf:RDF", "90402/SK_A_1", number)),
        ("marcxml", _tree(folder, "marc.xml", "record", "92005291", number)),
    ]


def _table(folder: Path, number: int) -> Path:
    text = (MUSEUMS / "objekte.csv").read_text("utf-8-sig")
    header, first = text.splitlines()[:2]
    path = folder / "semicolons.csv"
    with path.open("w", encoding="cp1252") as file:
        file.write(f"{header}\n")
        file.writelines(first.replace("A 12/1", f"A {at}") + "\n" for at in range(number))
    return path


def _tree(folder: Path, name: str, record: str, known: str, number: int) -> Path:
    text = (MUSEUMS / name).read_text()
    opening = re.search(rf"<{record}[\s>]", text)
    start, end = opening.start() if opening else 0, text.index(f"</{record}>") + len(record) + 3
    head, foot = text[:start], text[end:][-200:] if "</" in text[end:] else ""
    path = folder / name
    closing = foot[foot.rindex("</") :] if foot else "</all>"
    with path.open("w") as file:
        file.write(head if foot else "<all>")
        file.writelines(text[start:end].replace(known, f"{known}-{at}") + "\n" for at in range(number))
        file.write(closing)
    return path


def _row(run: str, file: str, summaries: list[IngestSummary], cpu: float) -> _Row:
    records, seconds = sum(each.read for each in summaries), sum(each.seconds for each in summaries)
    rates = round(records / seconds), round(records / cpu)
    return _Row(run, file, records, round(seconds, 2), round(cpu, 2), *rates)


def _print_counts(summaries: list[IngestSummary]) -> None:
    for name in ("added", "changed", "unchanged", "repeated", "rejected"):
        print(f"{name}: {sum(getattr(summary, name) for summary in summaries):,}", end="  ")
    print()


if __name__ == "__main__":
    main(sys.argv[1:])
