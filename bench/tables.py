"""One way to show a measurement: a table on stdout, the same numbers in bench/results/."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


def publish(name: str, rows: Sequence[Mapping[str, object]], **facts: object) -> None:
    """Print rows as a table and write them, with the facts about the run, to results/<name>.json."""
    columns = list(rows[0])
    widths = [max(len(column), *(len(_shown(row[column])) for row in rows)) for column in columns]
    print("  ".join(column.rjust(width) for column, width in zip(columns, widths, strict=True)))
    for row in rows:
        print("  ".join(_shown(row[c]).rjust(w) for c, w in zip(columns, widths, strict=True)))
    for fact, value in facts.items():
        print(f"{fact.replace('_', ' ')}: {value}")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps({**facts, "rows": list(rows)}, indent=1) + "\n")


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)
