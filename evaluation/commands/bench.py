"""The command ``kindred bench``: measures, systems and combinations on the public tasks."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from service.cli.context import JsonOption

if TYPE_CHECKING:
    from evaluation.tasks.datasets import TaskName


class PublicTask(StrEnum):
    """A public task."""

    STSB = "stsb"
    SEMEVAL = "semeval"
    CLSS = "clss"
    STSS = "stss"
    TYPED = "typed"


_NAMES: Final[dict[PublicTask, "TaskName"]] = {
    PublicTask.STSB: "stsb",
    PublicTask.SEMEVAL: "semeval",
    PublicTask.CLSS: "clss",
    PublicTask.STSS: "stss",
    PublicTask.TYPED: "typed",
}


def bench(
    ctx: typer.Context,
    tasks: Annotated[list[PublicTask] | None, typer.Argument(help="The tasks; with --all every one.")] = None,
    data: Annotated[
        Path, typer.Option(help="The folder with stsb, semeval, clss and STSS-131-Dataset.csv.")
    ] = Path("../shared/data/sts"),
    typed: Annotated[Path, typer.Option(help="The folder with the typed pairs: train, walters.")] = Path(
        "../shared/data/typed"
    ),
    measure: Annotated[str | None, typer.Option(help="A feature of config, alone.")] = None,
    system: Annotated[
        str | None, typer.Option(help="A published system of the tasks, or a declared one.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every task, into --out.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="File for the tables as Markdown; docs/bench.md with --all.")
    ] = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Measure on the public tasks of textual similarity: r with the gold of their test sets.

    stsb is the STS Benchmark, semeval STS 2012 to 2016, clss cross-level similarity, stss STSS-131, typed
    the typed pairs, by type. Without --measure and --system some measures are shown alone, the published
    systems as far as they can be built, and combinations of many features that learn from the training
    sets, beside what papers print.

    --system takes ukp-2012, takelab-2012, ebiquity-2013, dls-2014, dls-2015, dls-2015-s1, samsung-2016, cube
    and cube-regression, which learn from the training sets, and the systems of config, by their general
    score; of typed the latter alone, in folds.

    With --json: {"bench": [{"task", "entries": [{"name", "figure", "value", "interval", "sets": {SET: {"r",
    "interval"}}, "seconds"}], "published": [{"task", "system", "figure", "value"}]}], "minutes",
    "memory_mib"}.
    """
    from evaluation.tasks.running import bench
    from ingest.errors import UsageError

    if measure and system:
        raise UsageError("--measure and --system are two things: name one")
    if bool(tasks) == every:
        raise UsageError("name tasks, of stsb, semeval, clss, stss and typed, or all with --all")
    named = [_NAMES[one] for one in (PublicTask if every else tasks or ())]
    bench(ctx.obj, named, data, typed, measure, system, out or (Path("docs/bench.md") if every else None))
