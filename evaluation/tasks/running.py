"""What ``kindred bench`` does once its options are read: read the tasks, measure, and give the tables."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np

from evaluation import sheets
from evaluation.sheets import Sheet, markdown, number, spread
from evaluation.tasks.benching import (
    ALONE,
    ENCODER,
    STRINGS,
    WORDS,
    BenchRow,
    Scorer,
    combination,
    entry,
    lessons_of,
    published,
)
from evaluation.tasks.datasets import TaskName, TextPairs, read_task
from evaluation.tasks.texts import features_of_texts
from features.arrays import Doubles
from ingest.errors import ResourceMissing, UsageError
from ingest.storage.files import unwritable_output, write_whole
from models.systems import SystemSettings, untrained
from service.cli.context import Context
from service.settings import SentenceSettings, Settings

TITLES: Final[Mapping[TaskName, str]] = {
    "stsb": "STS Benchmark",
    "semeval": "SemEval STS 2012 to 2016",
    "clss": "Cross-level semantic similarity (SemEval-2014, task 3)",
    "stss": "STSS-131 (O'Shea et al. 2013)",
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
_MINILM: Final = "MiniLM"


class Bench(NamedTuple):
    """The rows of a task."""

    task: TaskName
    entries: tuple[BenchRow, ...]


def bench(
    context: Context,
    tasks: Sequence[TaskName],
    data: Path,
    name: str | None,
    system: str | None,
    out: Path | None,
) -> None:
    """Measure tasks, by one feature or system or by all that the bench shows; print or write the tables."""
    start = perf_counter()
    if out is not None and (name or system):
        raise UsageError("--out is for the whole bench: leave out --measure and --system")
    others = [one for one in read_task("stsb", data) if one.train] if "stss" in tasks else []
    results = [_task(context, task, data, name, system, others) for task in tasks]
    minutes, memory = (perf_counter() - start) / 60, getrusage(RUSAGE_SELF).ru_maxrss / 1024
    tables = {result.task: [_table(result), _by_set(result)] for result in results}
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
    name: str | None,
    system: str | None,
    others: Sequence[TextPairs],
) -> Bench:
    settings, sets = context.settings, read_task(task, data)
    if system is not None:
        return Bench(task, (_of_system(context, task, sets, system, settings.system(system)),))
    if name is not None:
        values, seconds = _values(context, settings, sets, (name,))
        return Bench(task, (entry(task, name, sets, _alone(values, 0), seconds),))
    return Bench(task, tuple(_all(context, task, sets, others)))


def _all(
    context: Context, task: TaskName, sets: Sequence[TextPairs], others: Sequence[TextPairs]
) -> list[BenchRow]:
    names = tuple(dict.fromkeys((*WORDS, *STRINGS, *ALONE)))
    both = [*sets, *others]
    values, seconds = _values(context, context.settings, both, names)
    entries = [entry(task, name, sets, _alone(values, names.index(name)), seconds) for name in ALONE]
    plain = [place for place, name in enumerate(names) if name in (*WORDS, *STRINGS)]
    lessons = lessons_of(task, sets, others)

    def chosen(places: list[int], more: Mapping[str, Doubles] | None = None) -> dict[str, Doubles]:
        # a word that is written out has its features behind those of the word
        width = len(names)
        answer = {}
        for one in both:
            table = values[one.name]
            columns = [at + start for start in range(0, table.shape[1], width) for at in places]
            parts = [table[:, columns], *([more[one.name]] if more else [])]
            answer[one.name] = np.hstack(parts)
        return answer

    def add(title: str, own: Mapping[str, Doubles]) -> None:
        entries.append(entry(task, title, sets, combination(own, lessons), seconds))

    add("combination of words", chosen(plain))
    add("combination with the compact encoder", chosen([*plain, names.index(ENCODER)]))
    full = context.settings.model_copy(update={"sentences": SentenceSettings(encoder="full")})
    try:
        vectors, spent = _values(context, full, both, (ENCODER,))
    except ResourceMissing as error:
        context.warn(f"{TITLES[task]}: without MiniLM: {error}")
        return entries
    entries.append(entry(task, _MINILM, sets, _alone(vectors, 0), spent))
    seconds += spent
    add(f"combination with {_MINILM}", chosen([*plain, names.index(ENCODER)], vectors))
    return entries


def _alone(values: Mapping[str, Doubles], place: int) -> Scorer:
    """The values of one feature as scores."""
    return lambda one: values[one.name][:, place]


def _values(
    context: Context, settings: Settings, sets: Sequence[TextPairs], names: Sequence[str]
) -> tuple[dict[str, Doubles], float]:
    start = perf_counter()
    tables = features_of_texts(settings, sets, names, lambda total: context.progress("analyse", total))
    return {one.name: table.values for one, table in zip(sets, tables, strict=True)}, perf_counter() - start


def _of_system(
    context: Context, task: TaskName, sets: Sequence[TextPairs], name: str, settings: SystemSettings
) -> BenchRow:
    """The general score of a declared system, with the weights at hand where it has any."""
    from service.opening import open_system

    values, seconds = _values(context, context.settings, sets, settings.needs)
    opened = open_system(context.settings, name) if settings.trained else untrained(name, settings)
    place, width = opened.position("general"), len(settings.needs)

    def scores(one: TextPairs) -> Doubles:
        own: Doubles = opened.score_pairs(values[one.name][:, :width], np.zeros(len(one), np.bool_))[:, place]
        return own

    return entry(task, name, sets, scores, seconds)


def _table(result: Bench) -> Sheet:
    rows = [
        (one.name, number(one.headline.value), spread(one.headline.interval), f"{one.seconds:,.0f}")
        for one in sorted(result.entries, key=lambda one: one.headline.value)
    ]
    papers = [one for one in published() if one.task == result.task]
    rows += [(f"*{one.system}*", number(one.value), "", "") for one in papers]
    figure = result.entries[0].headline.name
    return Sheet(f"{figure}; what papers print in italics", ("system", "figure", "95 %", "s"), rows)


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
