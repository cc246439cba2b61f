"""docs/metrics.md has the figures of bench/results/picking.json."""

import json

from tests.documents import ROOT, rows, sections, text


def test_the_documented_figures_are_those_that_were_measured() -> None:
    measured = json.loads((ROOT / "bench" / "results" / "picking.json").read_text("utf-8"))["rows"]
    figures = {(one["collection"], one["by"]): one for one in measured}
    chapter = sections(text("metrics.md"))["Pick one of twenty"]
    (head,) = [line for line in chapter.splitlines() if line.startswith("| collection")]
    systems = [cell.strip(" `") for cell in head.split("|")[3:-1]]
    documented = rows(chapter)
    assert documented.keys() == {one["collection"] for one in measured}
    for collection, (_, number, *cells) in documented.items():
        assert len(cells) == len(systems)
        for system, cell in zip(systems, cells, strict=True):
            one = figures[collection, system]
            assert (cell, number) == (f"{one['accuracy']:.3f}".lstrip("0"), str(one["choices"]))
