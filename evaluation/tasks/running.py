"""What ``kindred bench`` does once its options are read: read the tasks, measure, and give the tables."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np

from evaluation import sheets
from evaluation.sheets import Sheet, markdown, number, spread
from evaluation.tasks.baselines import BASELINES
from evaluation.tasks.baselines import scores as baseline_scores
from evaluation.tasks.benching import (
    ALONE,
    ENCODER,
    STRINGS,
    WORDS,
    BenchRow,
    Lessons,
    entry,
    learner,
    lessons_of,
    published,
)
from evaluation.tasks.combination import learnt
from evaluation.tasks.cube import Cube
from evaluation.tasks.cube_features import NAMES
from evaluation.tasks.datasets import TaskName, TextPairs, read_task
from evaluation.tasks.measuring import TaskFeatures
from evaluation.tasks.systems import SYSTEMS as OF_TASKS
from evaluation.tasks.systems import TaskSystem
from evaluation.tasks.texts import definitions
from evaluation.tasks.typed_rows import typed_rows
from features.arrays import Doubles
from ingest.errors import ResourceMissing, UsageError
from ingest.storage.files import unwritable_output, write_whole
from models.systems import untrained
from service.cli.context import Context
from service.opening import open_system
from service.settings import SentenceSettings

TITLES: Final[Mapping[TaskName, str]] = {
    "stsb": "STS Benchmark",
    "semeval": "SemEval STS 2012 to 2016",
    "clss": "Cross-level semantic similarity (SemEval-2014, task 3)",
    "stss": "STSS-131 (O'Shea et al. 2013)",
    "typed": "Typed similarity",
}
_HEAD: Final = """\
# The public tasks of textual similarity

Written by `kindred bench --all`; a new run writes it anew. Pearson's r of scores with the gold of the tasks'
test sets. A text is compared as the title of a record, so that every feature that config declares can be
measured here. Features are fitted on the texts of a task, training and test, without gold. A combination
learns from training sets alone: of STS 2012 its training part, of later years all sets of the years before,
of CLSS the training part of the level; STSS-131 has none and is scored by what the STS Benchmark teaches. How
it is made was chosen on the development part of the STS Benchmark. *95 %* is a bootstrap over pairs. *s* is
what the features of all texts of the task took, with the training. The whole took {minutes:.0f} minutes and
{memory:,.0f} MiB at most."""
_NOTES: Final[Mapping[TaskName, str]] = {
    "typed": "what papers print of the 750 test pairs of the task, which may not be given out, in italics",
}
"""What stands beside the figures, where it is not what is said of every task."""
_MINILM: Final = "MiniLM"
CUBES: Final = {"cube": "the Cube", "cube-regression": "the Cube's regression"}
"""The rows of the Cube by the names that ``kindred bench --system`` takes."""


class Bench(NamedTuple):
    """The rows of a task."""

    task: TaskName
    entries: tuple[BenchRow, ...]


def bench(
    context: Context,
    tasks: Sequence[TaskName],
    data: Path,
    typed: Path,
    name: str | None,
    system: str | None,
    out: Path | None,
) -> None:
    """Measure tasks, by one feature or system or by all that the bench shows; print or write the tables."""
    start = perf_counter()
    if out is not None and (name or system):
        raise UsageError("--out is for the whole bench: leave out --measure and --system")
    results = [_task(context, task, data, typed, name, system) for task in tasks]
    minutes, memory = (perf_counter() - start) / 60, getrusage(RUSAGE_SELF).ru_maxrss / 1024
    tables = {result.task: list(_sheets(result)) for result in results}
    if out is not None:
        blocks = [_HEAD.format(minutes=minutes, memory=memory)]
        for task, own in tables.items():
            blocks += [f"## {TITLES[task]}", *map(markdown, own)]
        write_whole(out, ("\n\n".join(blocks) + "\n").encode(), unwritable_output)
    if context.json:
        context.print_json(
            {"bench": [_document(result) for result in results], "minutes": minutes, "memory_mib": memory}
        )
    elif out is not None:
        sheets.show_line(context.console, f"written: {out}")
    else:
        sheets.show_sheets(context.console, [sheet for own in tables.values() for sheet in own])


def _task(
    context: Context,
    task: TaskName,
    data: Path,
    typed: Path,
    name: str | None,
    system: str | None,
) -> Bench:
    if task == "typed":
        return Bench(task, tuple(typed_rows(context, typed, name, system)))
    sets = read_task(task, data)
    others = [one for one in read_task("stsb", data) if one.train] if task == "stss" else []
    measured = TaskFeatures(context, sets, others)
    if system is not None:
        return Bench(task, (_of_system(context, task, measured, system),))
    if name is not None:
        measured.read((name,))
        return Bench(task, (entry(task, name, sets, measured.alone(name), measured.seconds),))
    return Bench(task, tuple(_all(context, task, measured)))


def _all(context: Context, task: TaskName, measured: TaskFeatures) -> Iterator[BenchRow]:
    """What the bench shows: single measures, the published systems, the Cube, and combinations."""
    sets, lessons = measured.sets, lessons_of(task, measured.sets, measured.others)
    wanted = [*WORDS, *STRINGS, *ALONE, *(name for one in OF_TASKS.values() for name in one.features)]
    measured.read(tuple(dict.fromkeys(name for name in wanted if name not in NAMES)))
    measured.read_counts()
    for name in ALONE:
        yield entry(task, name, sets, measured.alone(name), measured.seconds)
    if task == "clss":
        yield from _baselines(measured)
    for system in OF_TASKS.values():
        yield _published(task, measured, system)
    cube = measured.cube(lessons)
    for name in CUBES:
        yield _of_cube(task, measured, name, cube)
    words = (*WORDS, *STRINGS, *NAMES)
    yield _combined(task, measured, "combination of words", measured.over(words), lessons)
    with_encoder = measured.over((*words, ENCODER))
    yield _combined(task, measured, "combination with the compact encoder", with_encoder, lessons)
    full = context.settings.model_copy(update={"sentences": SentenceSettings(encoder="full")})
    minilm = TaskFeatures(context, sets, measured.others, full)
    try:
        minilm.read((ENCODER,))
    except ResourceMissing as error:
        context.warn(f"{TITLES[task]}: without MiniLM: {error}")
        return
    yield entry(task, _MINILM, sets, minilm.alone(ENCODER), minilm.seconds)
    full_encoder = minilm.over((ENCODER,))
    both = {name: np.hstack([values, full_encoder[name]]) for name, values in with_encoder.items()}
    measured.seconds += minilm.seconds
    yield _combined(task, measured, f"combination with {_MINILM}", both, lessons)


def _combined(
    task: TaskName, measured: TaskFeatures, title: str, values: Mapping[str, Doubles], lessons: Lessons
) -> BenchRow:
    return entry(task, title, measured.sets, learner(values, lessons, learnt), measured.seconds)


def _baselines(measured: TaskFeatures) -> Iterator[BenchRow]:
    wordnet = measured.resources.wordnet
    for name, shared in BASELINES.items():
        scorer = partial(baseline_scores, shared=shared, definitions=partial(definitions, wordnet=wordnet))
        yield entry("clss", name, measured.sets, scorer, 0.0)


def _published(task: TaskName, measured: TaskFeatures, system: TaskSystem) -> BenchRow:
    measured.read(tuple(name for name in system.features if name not in NAMES))
    if set(system.features) & set(NAMES):
        measured.read_counts()
    scorer = measured.alone(system.features[0])
    if system.regressor is not None:
        lessons = lessons_of(task, measured.sets, measured.others)
        scorer = learner(measured.over(system.features), lessons, system.regressor)
    return entry(task, system.title, measured.sets, scorer, measured.seconds)


def _of_system(context: Context, task: TaskName, measured: TaskFeatures, name: str) -> BenchRow:
    """A system of the tasks, or one that config declares; raises ``UsageError`` for another."""
    if name in OF_TASKS:
        return _published(task, measured, OF_TASKS[name])
    if name in CUBES:
        cube = measured.cube(lessons_of(task, measured.sets, measured.others))
        return _of_cube(task, measured, name, cube)
    if name not in context.settings.systems:
        raise UsageError(
            f"there is no system {name!r}; kindred bench knows {', '.join((*OF_TASKS, *CUBES))} and the"
            " systems: of config"
        )
    return _declared(context, task, measured, name)


def _of_cube(task: TaskName, measured: TaskFeatures, name: str, cube: Cube) -> BenchRow:
    scorer = cube.regression if name == "cube-regression" else cube.scores
    return entry(task, CUBES[name], measured.sets, scorer, measured.seconds)


def _declared(context: Context, task: TaskName, measured: TaskFeatures, name: str) -> BenchRow:
    """The general score of a declared system, with the weights at hand where it has any."""
    settings = context.settings.system(name)
    measured.read(settings.needs)
    opened = open_system(context.settings, name) if settings.trained else untrained(name, settings)
    place = opened.position("general")

    def scores(one: TextPairs) -> Doubles:
        values = measured.features[one.name].plain(settings.needs)
        own: Doubles = opened.score_pairs(values, np.zeros(len(one), np.bool_))[:, place]
        return own

    return entry(task, name, measured.sets, scores, measured.seconds)


def _sheets(result: Bench) -> Iterator[Sheet]:
    """The tables of a task."""
    yield _table(result)
    yield _by_set(result)
    if result.task == "semeval":
        yield _sets_of_cube(result)


def _sets_of_cube(result: Bench) -> Sheet:
    """The five sets on which the thesis tests the Cube (Table 4.8), with what it prints."""
    papers = [one for one in published() if one.task.startswith("cube ")]
    names = list(dict.fromkeys(one.task.removeprefix("cube ") for one in papers))
    rows = []
    for one in result.entries:
        values = {score.name: score.value for score in one.scores}
        rows.append((one.name, *(number(values[name]) for name in names)))
    systems = dict.fromkeys(one.system for one in papers)
    rows += [
        (f"*{system}*", *(number(one.value) for one in papers if one.system == system)) for system in systems
    ]
    return Sheet("The test sets of the Cube", ("system", *names), rows)


def _table(result: Bench) -> Sheet:
    rows = [
        (one.name, number(one.headline.value), spread(one.headline.interval), f"{one.seconds:,.0f}")
        for one in sorted(result.entries, key=lambda one: one.headline.value)
    ]
    papers = [one for one in published() if one.task == result.task]
    rows += [(f"*{one.system}*", number(one.value), "", "") for one in papers]
    figure = result.entries[0].headline.name
    note = _NOTES.get(result.task, "what papers print in italics")
    return Sheet(f"{figure}; {note}", ("system", "figure", "95 %", "s"), rows)


def _by_set(result: Bench) -> Sheet:
    """Every set, or of STS every year, with what papers print of it."""
    first = result.entries[0].scores
    shown = [one.name for one in first if result.task != "semeval" or len(one.name) == len("2012")]
    rows = []
    for one in result.entries:
        values = {score.name: score.value for score in one.scores}
        rows.append((one.name, *(number(values[name]) for name in shown)))
    if result.task == "semeval":
        papers = [one for one in published() if one.task.startswith("semeval ")]
        for system in dict.fromkeys(one.system for one in papers):
            values = {one.task[-4:]: one.value for one in papers if one.system == system}
            rows.append((f"*{system}*", *(number(values[name]) if name in values else "" for name in shown)))
    return Sheet(f"{TITLES[result.task]}, by set", ("system", *shown), rows)


def _document(result: Bench) -> dict[str, object]:
    return {
        "task": result.task,
        "entries": [
            {
                "name": one.name,
                "figure": one.headline.name,
                "value": one.headline.value,
                "interval": list(one.headline.interval),
                "sets": {
                    score.name: {"r": score.value, "interval": list(score.interval)} for score in one.scores
                },
                "seconds": one.seconds,
            }
            for one in result.entries
        ],
        "published": [one._asdict() for one in published() if one.task.startswith(result.task)],
    }
