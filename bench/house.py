"""The house in words: its rooms, how large they are, and who looks at whom, drawn from the source.

An import counts wherever it stands: at the top, inside a function, or for type checkers only. A name taken
from a package is an arrow to the module of that name where there is one, else to the package itself.

    python -m bench.house [ROOT]
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

PRODUCT = ("ingest", "features", "models", "service", "evaluation", "training", "bench")

FLOORS: tuple[tuple[str, ...], ...] = (
    ("ingest",),
    (
        "features",
        "features.arrays",
        "features.compiled",
        "features.processes",
        "features.row_kinds",
    ),
    ("features.text",),
    ("features.profiles", "features.fulltext"),
    (
        "features.knowledge",
        "features.facts",
        "features.research.walks",
        "features.research.wikipedia",
        "features.research.wordnet_similarity",
    ),
    (
        "features.research",
        "features.research.antonyms",
        "features.research.boosted_vectors",
        "features.research.candidate_articles",
        "features.research.numbers",
        "features.research.paraphrases",
        "features.research.walk_words",
        "features.research.word_layers",
        "features.research.word_measures",
        "features.research.word_vectors",
    ),
    ("features.measures",),
    ("features.research.measures",),
    ("features.collection",),
    ("models",),
    ("service",),
    ("evaluation",),
    ("training",),
    ("bench",),
)
"""From the ground up; a module imports only what stands on its own floor or below."""

ALONE = ("features", "features.research")
"""Packages that stand for themselves: a new folder in one stands nowhere until it gets a floor of its own."""


class House(NamedTuple):
    """The modules of a source tree, and what each imports of the others."""

    files: Mapping[str, Path]
    arrows: Mapping[str, frozenset[str]]

    def room(self, module: str) -> str:
        """The folder in which a module stands.

        >>> House({"a.b": Path("a/b.py"), "a": Path("a/__init__.py")}, {}).room("a.b")
        'a'
        """
        return self.files[module].parent.as_posix()


def house(root: Path, packages: Sequence[str] = PRODUCT) -> House:
    """Read the source tree below ``root``."""
    paths = [path for name in packages for path in sorted((root / name).rglob("*.py"))]
    files = {_module(path.relative_to(root)): path.relative_to(root) for path in paths}
    arrows = {
        module: frozenset(_imported(module, root / path, files)) - {module} for module, path in files.items()
    }
    return House(files, arrows)


def circles(arrows: Mapping[str, frozenset[str]]) -> list[list[str]]:
    """The largest groups of modules that all reach each other.

    >>> circles({"a": frozenset("b"), "b": frozenset("ac"), "c": frozenset()})
    [['a', 'b']]
    """
    reached = {module: _reachable(module, arrows) for module in arrows}
    groups = {
        frozenset(other for other in reach if module in reached[other])
        for module, reach in reached.items()
        if module in reach
    }
    return sorted(sorted(group) for group in groups)


def upward(arrows: Mapping[str, frozenset[str]]) -> list[tuple[str, str]]:
    """The imports from a lower floor to a higher one, as importing and imported module.

    >>> upward({"models.types": frozenset({"service.cli"}), "service.cli": frozenset({"models.types"})})
    [('models.types', 'service.cli')]
    """
    return sorted(
        (module, other)
        for module, others in arrows.items()
        for other in others
        if floor(other) > floor(module)
    )


def floor(module: str) -> int:
    """The number of the floor on which a module stands, counted from the ground, or -1 where it has none.

    >>> floor("ingest.record"), floor("features.text.dates.years"), floor("features.odd")
    (0, 2, -1)
    """
    for number, rooms in enumerate(FLOORS):
        if any(module == room or (module.startswith(f"{room}.") and room not in ALONE) for room in rooms):
            return number
    return -1


def described(whole: House, root: Path) -> Iterator[str]:
    """The house in words, line by line."""
    lines = {
        module: len((root / path).read_text("utf-8").splitlines()) for module, path in whole.files.items()
    }
    rooms = sorted({whole.room(module) for module in whole.files}, key=lambda room: (_rank(room), room))
    yield f"{'room':34}{'files':>6}{'lines':>8}  imports of (times)"
    for room in rooms:
        inside = [module for module in whole.files if whole.room(module) == room]
        seen = Counter(whole.room(other) for module in inside for other in whole.arrows[module])
        seen.pop(room, None)
        says = ", ".join(f"{other} ({n})" for other, n in seen.most_common())
        yield f"{room:34}{len(inside):6}{sum(lines[m] for m in inside):8}  {says}"
    yield f"{'all':34}{len(lines):6}{sum(lines.values()):8}  {sum(map(len, whole.arrows.values()))} arrows"
    between = circles(whole.arrows)
    yield f"circles of modules: {len(between)}"
    yield from (f"  {len(group)} files: {', '.join(group)}" for group in between)
    against = [pair for pair in upward(whole.arrows) if floor(pair[0]) >= 0]
    yield f"upward imports: {len(against)}"
    yield from (f"  {module} -> {other}" for module, other in against)


def _module(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(module: str, path: Path, files: Mapping[str, Path]) -> Iterator[str]:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, package)
            named = (f"{base}.{alias.name}" for alias in node.names)
            yield from (name for name in (n if n in files else base for n in named) if name in files)


def _base(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parents = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*parents, *([node.module] if node.module else [])])


def _reachable(module: str, arrows: Mapping[str, frozenset[str]]) -> frozenset[str]:
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        for other in arrows[waiting.pop()] - reached:
            reached.add(other)
            waiting.append(other)
    return frozenset(reached)


def _rank(room: str) -> tuple[int, int]:
    return PRODUCT.index(room.split("/")[0]), floor(room.replace("/", "."))


if __name__ == "__main__":
    ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent
    print("\n".join(described(house(ROOT), ROOT)))
