"""Explanations are faithful: without the words that one names, the score is lower."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence

import pytest
from msgspec.structs import replace

from evaluation.typed import Pairs, read_pairs
from ingest.catalogue import Catalogue
from ingest.record import Record, Value
from models.explanation import FeatureContribution, ScoreExplanation
from models.types import OFFICIAL
from service.composition import open_recommender
from service.search.recommender import Recommender
from service.settings import load
from tests.documents import ROOT
from tests.environment import SHARED, needs_shared

TRAIN = SHARED / "data" / "typed" / "train"
PAIRS = 260
DIGITS = r"\w*\d\w*"
FIELDS = ("title", "creator", "subject", "description", "date", "source", "places")

pytestmark = [pytest.mark.slow, needs_shared("data/typed/train")]


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    """Pairs of the whole file, evenly spaced."""
    read = read_pairs(TRAIN)
    picked = [n * len(read) // PAIRS for n in range(PAIRS)]
    return Pairs(
        [read.ids[n] for n in picked], [read.left[n] for n in picked], [read.right[n] for n in picked], None
    )


@pytest.fixture(scope="module")
def recommender(pairs: Pairs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recommender]:
    """The system that serves, over the records of the pairs, with the language models."""
    state = tmp_path_factory.mktemp("state")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("KINDRED_")]:
            patch.delenv(name)
        patch.setenv("KINDRED_STATE__DIRECTORY", str(state))
        with Catalogue(state / "catalogue.sqlite") as catalogue:
            catalogue.put_many(pairs.records)
        build = "import sys; sys.argv = ['kindred', 'build']; from service.cli.root import main; main()"
        subprocess.run([sys.executable, "-c", build], cwd=ROOT, capture_output=True, check=True)
        yield open_recommender(load())


def test_without_the_words_it_names_a_score_is_lower(recommender: Recommender, pairs: Pairs) -> None:
    lower: list[bool] = []
    for number, (left, right) in enumerate(zip(pairs.left, pairs.right, strict=True)):
        whole = alike(recommender, recommender.score(left.id, right.id).explanations, number)
        if whole is not None and (words := named(left, whole)):
            less, place = without(left, words), OFFICIAL.index(whole.type)
            lower.append(
                not less.has_text or raw(recommender.score(less, right.id).explanations[place]) < raw(whole)
            )
    assert len(lower) >= 200
    # a date that is far off may tell less than none, and of two sides that show people the other one decides
    assert sum(lower) / len(lower) >= 0.95


def alike(
    recommender: Recommender, explanations: Sequence[ScoreExplanation], number: int
) -> ScoreExplanation | None:
    """A type in which two records are alike, each pair beginning with another; None where there is none.

    Below the floor an explanation tells how far apart two records are: two dates may be worse than none.
    """
    floor = recommender.system.floor
    answer = [explanations[(number + n) % len(OFFICIAL)] for n in range(len(OFFICIAL))]
    return next((one for one in answer if not one.same and one.score >= floor[one.type]), None)


def raw(explanation: ScoreExplanation) -> float:
    """The score before it is clipped to 0 and 5; nothing where neither item has anything of the type."""
    return -float("inf") if explanation.raw is None else explanation.raw


def named(left: Record, explanation: ScoreExplanation) -> set[str]:
    """The words of one side that the strongest contribution names, of those that add and name any."""
    spans = (passages(left, one) for one in explanation.contributions or () if one.amount > 0)
    return next(filter(None, spans), set())


def passages(left: Record, contribution: FeatureContribution) -> set[str]:
    """What texts that were compared as wholes rest on is no words."""
    shown = (one for one in contribution.evidence if not one.whole)
    return {getattr(left, o.part)[o.index].text[o.start : o.end] for one in shown for o in one.left}


def without(record: Record, words: Iterable[str]) -> Record:
    """A record in which the words stand nowhere, nor what would stand in for them.

    Where an item has no date its other years count as one, and then the years in which its maker worked.
    """
    gone = [re.escape(word) for word in sorted(words, key=len, reverse=True)]
    dated = any(re.search(r"\d", word) and word in value.text for word in words for value in record.date)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join([*gone, *([DIGITS] if dated else [])])})(?!\w)")
    fields = {
        name: [Value(pattern.sub(" ", value.text), value.language) for value in getattr(record, name)]
        for name in FIELDS
    }
    left = {name: tuple(v for v in texts if v.text.strip()) for name, texts in fields.items()}
    return replace(record, **(left | {"creator": ()} if dated else left))
