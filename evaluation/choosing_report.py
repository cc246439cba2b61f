"""What a selection of terms found: a document for programs, tables for people, and YAML for config.yaml."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill

from evaluation import tables
from evaluation.choosing import SelectionStep
from evaluation.results import Result
from evaluation.tables import Sheet, markdown, number, signed
from models.types import SimilarityType

_WIDTH = 120


def yaml(own: Mapping[SimilarityType, Sequence[str]]) -> str:
    """Chosen terms as a system's row has them.

    >>> print(yaml({"time": ("dates_gap", "years")}))
        own:
          time:
            [dates_gap, years]
    """
    lines = ["    own:"]
    for kind, names in own.items():
        text = fill(f"[{', '.join(names)}]", _WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 9)
        lines += [f"      {kind}:", text]
    return "\n".join(lines)


def steps(found: Iterable[SelectionStep], types: Iterable[SimilarityType]) -> Sheet:
    """Every step, type by type."""
    taken = list(found)
    rows = tuple(
        (
            kind,
            step.term,
            number(step.folds),
            number(step.unseen),
            signed(step.gain, 4),
            number(step.price, 4),
        )
        for kind in types
        for step in taken
        if step.kind == kind
    )
    return Sheet("Terms", ("type", "term", "folds", "unseen", "gain", "price"), rows, words=2)


def kept(nested: Sequence[Result], own: Mapping[SimilarityType, Sequence[str]]) -> Sheet:
    """In how many of the divisions each term was chosen that is chosen from all pairs."""
    counts: Counter[tuple[str, str]] = Counter()
    for result in nested:
        for taken in result.chosen.values():
            counts.update((kind, name) for kind, name in _terms(taken))
    divisions = sum(len(result.chosen) for result in nested)
    rows = ((kind, ", ".join(f"{name} {counts[kind, name]}" for name in own[kind])) for kind in own)
    return Sheet(
        f"Of {divisions} divisions those that choose the same term", ("type", "terms"), tuple(rows), 2
    )


def text(
    taken: Sequence[SelectionStep],
    own: Mapping[SimilarityType, Sequence[str]],
    features: Sequence[str],
    nested: Sequence[Result],
    name: str,
) -> str:
    """All of it as Markdown."""
    blocks = [
        f"## Terms of `{name}`",
        f"{len(features)} features, their parts among them: {', '.join(features)}.",
        markdown(steps(taken, own)),
        f"```yaml\n{yaml(own)}\n```",
    ]
    if nested:
        blocks += [markdown(tables.correlations(tables.labelled(name, nested))), markdown(kept(nested, own))]
        blocks += [f"{result.label}: {result.statement}." for result in nested]
    return "\n\n".join(blocks) + "\n"


def _terms(chosen: Mapping[str, object]) -> Iterable[tuple[str, str]]:
    own = chosen.get("own")
    for kind, names in own.items() if isinstance(own, Mapping) else ():
        yield from ((kind, name) for name in names)
