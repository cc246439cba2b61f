"""What annotators are shown, and in which order: the pairs that were drawn, and control questions among them.

A control question has a known answer: a record beside itself, or a pair of a set with gold (thesis 5.3.3). It
looks like any other. All annotators get the same order, so that those who stop early have judged the same
pairs; it is mixed, since drawn pairs lie type by type.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evaluation.annotators.controls import control_accuracy
from evaluation.gold.judgements import IdPair, Judgements
from evaluation.raters import against_rest
from evaluation.typed import Pairs
from features.arrays import Bools, Doubles
from ingest.record import Record
from models.types import SCALE, SimilarityType
from service.operations.annotations import Annotation


class PairQuestion(NamedTuple):
    """Two records to be judged; the same record twice is a control question."""

    left: Record
    right: Record

    @property
    def pair(self) -> IdPair:
        """The two ids in their order, by which an annotation is stored."""
        return in_order((self.left.id, self.right.id))


class Standing(NamedTuple):
    """How far an annotator is: pairs judged, control questions answered rightly, r with the rest.

    ``controls`` is a share from 0 to 1; ``with_the_rest`` the mean over the types. None where undefined.
    """

    name: str
    pairs: int
    controls: float | None
    with_the_rest: float | None


def in_order(pair: IdPair) -> IdPair:
    """A pair in the order of its ids.

    >>> in_order(("b", "a"))
    ('a', 'b')
    """
    one, other = sorted(pair)
    return one, other


def questions(pairs: Pairs, controls: Pairs | None, every: int) -> list[PairQuestion]:
    """Every pair once, and one control question after each ``every`` pairs.

    The control questions are those of ``controls`` first, where there are any, and then records of the pairs
    beside themselves.
    """
    real = {in_order(ids): PairQuestion(*both) for ids, both in _with_records(pairs)}
    known = iter(_mixed({in_order(ids): PairQuestion(*both) for ids, both in _with_records(controls)}))
    used = set(real)
    shown: list[PairQuestion] = []
    block: list[PairQuestion] = []
    for question in _mixed(real):
        block.append(question)
        if len(block) == every:
            shown += block
            candidates = (*_next(known), *(PairQuestion(one.left, one.left) for one in block))
            control = next((one for one in candidates if one.pair not in used), None)
            if control is not None:
                used.add(control.pair)
                shown.append(control)
            block = []
    return shown + block


def _with_records(pairs: Pairs | None) -> Iterator[tuple[IdPair, tuple[Record, Record]]]:
    if pairs is not None:
        yield from zip(pairs.ids, zip(pairs.left, pairs.right, strict=True), strict=True)


def _mixed(given: Mapping[IdPair, PairQuestion]) -> list[PairQuestion]:
    def place(pair: IdPair) -> bytes:
        return hashlib.sha256("\n".join(pair).encode()).digest()

    return [given[pair] for pair in sorted(given, key=place)]


def _next(known: Iterator[PairQuestion]) -> tuple[PairQuestion, ...]:
    return tuple(one for one in (next(known, None),) if one is not None)


def known_answers(
    annotations: Iterable[Annotation], controls: Pairs | None, types: Sequence[SimilarityType]
) -> dict[IdPair, list[float]]:
    """The answer to each control question that was answered: a number for each type, NaN where none is due.

    A record beside itself is alike in every way that applies to it.
    """
    same = [SCALE[1]] * len(types)
    answers = {(one.one, one.other): same for one in annotations if one.one == one.other}
    if controls is not None:
        gold = dict(zip(controls.types, controls.known_gold().T.tolist(), strict=True))
        columns = [gold.get(kind, [float("nan")] * len(controls)) for kind in types]
        rows = zip(controls.ids, zip(*columns, strict=True), strict=True)
        answers |= {in_order(ids): list(row) for ids, row in rows}
    return answers


def annotators(annotations: Iterable[Annotation]) -> dict[str, str]:
    """The names of the annotators by the ids of their keys; the id stands behind a name that two have.

    >>> rows = [Annotation("a", "b", who, name, "", {}) for who, name in (("1", "Ann"), ("2", "Bob"))]
    >>> annotators(rows), annotators([*rows, rows[0]._replace(who="3")])["3"]
    ({'1': 'Ann', '2': 'Bob'}, 'Ann (3)')
    """
    names = {one.who: one.name for one in annotations}
    given = list(names.values())
    return {who: name if given.count(name) == 1 else f"{name} ({who})" for who, name in sorted(names.items())}


def collected(pairs: Pairs, annotations: Sequence[Annotation], types: Sequence[SimilarityType]) -> Judgements:
    """The annotations of these pairs as judgements; of pairs that nobody judged there are none."""
    ids = list(dict.fromkeys(in_order(pair) for pair in pairs.ids))
    judged = {(one.one, one.other) for one in annotations}
    known = [pair for pair in ids if pair in judged]
    judging = {one.who for one in annotations if (one.one, one.other) in set(known)}
    names = {who: name for who, name in annotators(annotations).items() if who in judging}
    numbers, never = _arrays(known, list(names), annotations, types)
    shown = {in_order(pair): pair for pair in pairs.ids}
    records = {record.id: record for record in pairs.records}
    in_file = [shown[pair] for pair in known]
    return Judgements(in_file, list(names.values()), tuple(types), numbers, never, records)


def standings(
    judgements: Judgements,
    annotations: Sequence[Annotation],
    known: Mapping[IdPair, Sequence[float]],
) -> list[Standing]:
    """How far each annotator of the judgements is, in their order."""
    names = annotators(annotations)
    keys = [who for who, name in names.items() if name in judgements.annotators]
    answers, never = _arrays(list(known), keys, annotations, judgements.types)
    answers[never] = np.nan  # a type that does not apply is neither a right answer nor a wrong one
    right = np.array(list(known.values()), dtype=np.float64).reshape(-1)
    shares = control_accuracy(answers.transpose(0, 2, 1).reshape(len(right), len(keys)), right)
    agreement = np.full((len(judgements.types), len(keys)), np.nan)
    if len(keys) > 1:
        agreement = np.array([against_rest(column) for column in judgements.numbers.transpose(2, 0, 1)])
    rows = zip(keys, shares, agreement.T, judgements.numbers.transpose(1, 0, 2), strict=True)
    return [
        Standing(
            names[who],
            int((~np.isnan(numbers)).any(axis=1).sum()),
            None if np.isnan(share) else float(share),
            None if np.isnan(r).all() else float(np.nanmean(r)),
        )
        for who, share, r, numbers in rows
    ]


def _arrays(
    pairs: Sequence[IdPair],
    keys: Sequence[str],
    annotations: Iterable[Annotation],
    types: Sequence[SimilarityType],
) -> tuple[Doubles, Bools]:
    """The numbers float64[pairs, annotators, types], and whether each is one that does not apply."""
    numbers = np.full((len(pairs), len(keys), len(types)), np.nan)
    never = np.zeros(numbers.shape, np.bool_)
    places = {pair: place for place, pair in enumerate(pairs)}
    for one in annotations:
        pair = one.one, one.other
        if pair not in places or one.who not in keys:
            continue
        here = places[pair], keys.index(one.who)
        for column, kind in enumerate(types):
            if kind in one.scores:
                score = one.scores[kind]
                numbers[*here, column] = SCALE[0] if score is None else score
                never[*here, column] = score is None
    return numbers, never
