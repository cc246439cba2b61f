"""What the tests catch: ``python -m bench.mutation [MUTANTS] [ROOM ...]``.

Cosmic Ray changes the code in one place (a number, a comparison, an operator, a condition) and the tests of
that module run. The change is *caught* where a test fails or never ends, and *survives* where all pass. Of
each room so many places are drawn (40; ``all`` takes every one), and one change at each, always the same.
The changes are made in copies of the source tree, one a processor, so that the tree itself is left alone.
Survivors are judged in CONTRIBUTING.md.

What could tell nothing is not drawn: annotations, which only the type checker reads, decorators, and ``is``
for ``==``, which is the same of what Python keeps once.
"""

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import parso  # noqa: F401 - before Cosmic Ray, which cannot import it half way
from attrs import evolve
from cosmic_ray.commands.init import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome

from bench.tables import publish

ROOT: Final = Path(__file__).parent.parent
MUTANTS: Final = 40
SEED: Final = 20130613
TIMEOUT_S: Final = 180.0

ROOMS: Final[Mapping[str, Mapping[str, str]]] = {
    "measures": {
        "measures/bags": "test_tfidf test_overlap test_cardinality",
        "research/measures/best_matches": "test_walk_measure test_names_measure",
        "measures/derived": "test_gated test_strongest test_weakest",
        "measures/intervals": "test_intervals test_creators",
        "research/measures/lda": "test_lda",
        "measures/matches": "test_presence test_names_measure",
        "measures/name_forms": "test_names_measure",
        "measures/names": "test_names_measure test_addresses",
        "measures/overlap": "test_overlap",
        "measures/parts": "test_parts",
        "measures/places": "test_places_measure",
        "measures/postings": "test_tfidf test_overlap",
        "measures/presence": "test_presence",
        "measures/scope": "test_scope test_selections",
        "measures/selections": "test_selections test_wordnet_words",
        "measures/tfidf": "test_tfidf",
        "research/measures/walk": "test_walk_measure",
        "measures/years": "test_years_measure",
    },
    "ranking": {
        "engines/ranking": "test_ranking test_local_index",
        "search/diversity": "test_similar test_variants",
        "search/cursors": "test_cursors test_similar",
    },
    "dates": {
        "dates/century_parts": "test_years test_date_fields",
        "dates/fields": "test_date_fields test_edtf",
        "dates/patterns": "test_date_fields",
        "dates/reasons": "test_date_fields test_dates",
        "dates/states": "test_date_fields",
        "profiles/dated": "test_partial test_intervals test_years_measure",
        "dates/edtf": "test_edtf",
        "dates/historic": "test_historic",
        "dates/swedish": "test_date_fields test_years",
        "dates/year_patterns": "test_years",
        "dates/years": "test_years test_date_fields",
    },
    "formats": {
        "formats/__init__": "paths/test_formats",
        "formats/iiif": "paths/test_formats",
        "formats/jsonld": "paths/test_formats",
        "formats/markdown": "paths/test_formats",
        "formats/table": "paths/test_formats",
    },
    "access": {
        "access/keys": "test_keys test_login",
        "access/rates": "test_rates",
    },
}
"""The modules of each room, and the tests that are to catch what changes in them: the ends of their paths."""


class Mutant(NamedTuple):
    """A change of one module, and the command that is to fail by it."""

    room: str
    spec: MutationSpec
    command: str


class Outcome(NamedTuple):
    """Whether a change was caught, and how it reads."""

    mutant: Mutant
    caught: bool
    diff: str


def main(number: int | None, rooms: Sequence[str]) -> None:
    """Draw mutants, let the tests run on each, and publish what was caught."""
    begun = time.monotonic()
    drawn = [mutant for room in rooms for mutant in draw(room, number)]
    with (
        tempfile.TemporaryDirectory(prefix="kindred-mutation-") as folder,
        ProcessPoolExecutor(os.cpu_count(), initializer=_settle, initargs=(Path(folder),)) as pool,
    ):
        commands = sorted({mutant.command for mutant in drawn})
        passed = zip(commands, pool.map(_passes, commands), strict=True)
        if broken := [command for command, well in passed if not well]:
            sys.exit("these fail without any change:\n" + "\n".join(broken))
        outcomes = list(_followed(pool.map(tried, drawn), len(drawn)))
    made = Counter(one.mutant.room for one in outcomes)
    caught = Counter(one.mutant.room for one in outcomes if one.caught)
    rows = [{"room": room, "mutants": made[room], "caught": caught[room]} for room in rooms]
    publish(
        "mutation",
        rows,
        caught_of_all=round(caught.total() / made.total(), 3),
        seed=SEED,
        minutes=round((time.monotonic() - begun) / 60, 1),
        survivors=sorted(_described(one) for one in outcomes if not one.caught),
    )


def draw(room: str, number: int | None) -> Iterator[Mutant]:
    """One change at each of some places of the modules of a room, all of them for None; always the same."""
    chance = random.Random(f"{SEED} {room}")
    places: dict[tuple[object, ...], list[Mutant]] = defaultdict(list)
    for name, tests in ROOMS[room].items():
        module = _only(f"{name}.py")
        command = _command(module, [_only(f"{each}.py") for each in tests.split()])
        spans = list(_declared((ROOT / module).read_text("utf-8")))
        for spec in _changes(ROOT / module):
            if _idle(spec.operator_name) or any(one <= spec.start_pos < end for one, end in spans):
                continue
            family = spec.operator_name.partition("_")[0]
            mutant = Mutant(room, evolve(spec, module_path=module), command)
            places[name, spec.start_pos, spec.end_pos, family].append(mutant)
    keys = list(places)
    for key in keys if number is None else chance.sample(keys, min(number, len(keys))):
        yield chance.choice(places[key])


def _changes(module: Path) -> list[MutationSpec]:
    """All that Cosmic Ray would change in a module, in a fixed order."""
    with use_db(":memory:") as database:
        init([module], database, {})
        specs = [spec for item in database.work_items for spec in item.mutations]
    return sorted(specs, key=lambda spec: (spec.start_pos, spec.operator_name, spec.occurrence))


def _only(end: str) -> Path:
    """The one file of the source tree whose path ends so."""
    paths = [path for path in _listed() if path.match(end)]
    if len(paths) != 1:
        sys.exit(f"{len(paths)} paths end in {end}; put ROOMS in bench/mutation.py right")
    return paths[0]


@cache
def _listed() -> tuple[Path, ...]:
    """The files of the source tree, as paths from its root."""
    listing = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return tuple(path for path in map(Path, filter(None, names.split("\0"))) if (ROOT / path).is_file())


def _command(module: Path, tests: Sequence[Path]) -> str:
    """The examples in the docstrings of a module, and its tests."""
    files = " ".join(map(str, (module, *tests)))
    command = f"{sys.executable} -m pytest -x -q -p no:cacheprovider {files}"
    if "@compiled" not in (ROOT / module).read_text("utf-8"):
        return command
    # numba would take what other modules made of the unchanged function from its cache
    return f"sh -c 'cache=$(mktemp -d); trap \"rm -r $cache\" EXIT; NUMBA_CACHE_DIR=$cache {command}'"


def _idle(operator: str) -> bool:
    """Whether an operator puts an identity for an equality, or breaks on names of errors with a dot."""
    if operator == "core/ExceptionReplacer":
        return True
    sides = operator.rpartition("/")[2].split("_")[1:]
    return operator.startswith("core/ReplaceComparison") and len({"Is", "IsNot"} & set(sides)) == 1


def _declared(code: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """From where to where annotations and decorators stand, as lines and columns."""
    for node in ast.walk(ast.parse(code)):
        annotations = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        for one in (*annotations, *getattr(node, "decorator_list", ())):
            if isinstance(one, ast.expr):
                # a decorator is changed from its @ on
                yield (one.lineno, max(one.col_offset - 1, 0)), (one.end_lineno or 0, one.end_col_offset or 0)


def _settle(folder: Path) -> None:
    """Give this process a copy of the source tree to change, and make it the place where tests run."""
    folder /= str(os.getpid())
    for path in _listed():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, folder / path)
    os.chdir(folder)
    # hypothesis, which takes the same tries every time where it believes to be in CI
    os.environ.update(PYTHONPATH=str(folder), NUMBA_CACHE_DIR=str(folder / "compiled"), CI="true")


def _passes(command: str) -> bool:
    return subprocess.run(["sh", "-c", command], capture_output=True, check=False).returncode == 0


def tried(mutant: Mutant) -> Outcome:
    """Run the tests of a module with the change in it."""
    result = mutate_and_test([mutant.spec], mutant.command, TIMEOUT_S)
    if result.test_outcome in (None, TestOutcome.INCOMPETENT):
        raise RuntimeError(f"{mutant.spec} could not be tried: {result.output}")
    return Outcome(mutant, result.test_outcome is TestOutcome.KILLED, result.diff or "")


def _followed(outcomes: Iterator[Outcome], number: int) -> Iterator[Outcome]:
    for at, one in enumerate(outcomes, 1):
        print(f"{at}/{number} {'caught' if one.caught else 'SURVIVED: ' + _described(one)}", flush=True)
        yield one


def _described(one: Outcome) -> str:
    """Where a change stands, what stood there and what stands there now."""
    spec = one.mutant.spec
    lines = one.diff.splitlines()
    before, after = (
        " ".join(line[1:].strip() for line in lines if line[:1] == mark and line[:3] != 3 * mark)
        for mark in "-+"
    )
    return f"{spec.module_path}:{spec.start_pos[0]}: {before}  ->  {after}"


if __name__ == "__main__":
    first, *others = sys.argv[1:] or [str(MUTANTS)]
    if (first != "all" and not first.isdigit()) or not set(others) <= set(ROOMS):
        sys.exit(f"python -m bench.mutation [NUMBER | all] [ROOM ...]; rooms: {', '.join(ROOMS)}")
    main(None if first == "all" else int(first), others or list(ROOMS))
