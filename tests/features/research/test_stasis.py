from math import exp, isnan, sqrt, tanh
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.knowledge.resources import Resources, ResourceSettings
from features.profiles.profile import Profile
from features.research.measures.stasis import StasisSettings
from tests.builders import text_profile
from tests.features.measures.columns import bag, tried

MINI = Resources(ResourceSettings(wordnet=Path(__file__).parents[2] / "data" / "wordnet"), Path("/nowhere"))
STASIS = StasisSettings(measure="stasis")
WORDS = ["woman", "painter", "girl", "walk", "unheard"]
texts = st.lists(st.sampled_from(WORDS), max_size=5).map(lambda words: text_profile(" ".join(words) or "!"))


def test_one_word_each() -> None:
    # painter and woman are 3 steps apart below person, 3 from the root: s = exp(-.6) tanh(1.35) = .4797,
    # above both limits. Over {woman, painter} the sides are (a a, s a b) and (s a b, b b), where a and b
    # are what the words tell; each word stands first, or what is most like it: the orders are the same
    ours, theirs = text_profile("woman"), text_profile("painter")
    similar = exp(-0.6) * tanh(1.35)
    a, b = (1 - one for one in logarithms_of_counts("woman", "painter"))
    one, other = (a * a, similar * a * b), (similar * a * b, b * b)
    cosine = sum(x * y for x, y in zip(one, other, strict=True)) / sqrt(
        sum(x * x for x in one) * sum(x * x for x in other)
    )
    assert tried([ours], STASIS, MINI).pair(ours, theirs) == pytest.approx(0.85 * cosine + 0.15)


def logarithms_of_counts(*words: str) -> list[float]:
    """ln(n + 1) / ln(N + 1) of nouns of the miniature."""
    from math import log

    wordnet = MINI.wordnet
    return [log(sum(wordnet.counts(word, "n")) + 1) / log(wordnet.tagged + 1) for word in words]


def test_order_counts_a_little() -> None:
    ours, same, turned = (
        text_profile(text) for text in ("unheard girl walk", "unheard girl walk", "walk girl unheard")
    )
    column = tried([ours], STASIS, MINI)
    assert column.pair(ours, same) == pytest.approx(1)
    # (1, 2, 3) and (3, 2, 1): 1 - sqrt(8) / sqrt(48)
    assert column.pair(ours, turned) == pytest.approx(0.85 + 0.15 * (1 - sqrt(8 / 48)))


def test_evidence_is_what_both_have() -> None:
    ours, theirs = text_profile("girl unheard"), text_profile("unheard woman")
    (piece,) = tried([ours], STASIS, MINI).evidence(ours, theirs)
    assert [one.term for one in (*piece.left, *piece.right)] == ["unheard", "unheard"]


@given(st.lists(texts, min_size=1, max_size=4), texts)
def test_it_keeps_the_promises_of_a_measure(items: list[Profile], query: Profile) -> None:
    column = tried(items, STASIS, MINI)
    column.promises(items, query)
    own = column.pair(query, query)
    assert own == pytest.approx(1.0) if bag(query, STASIS.scope) else isnan(own)
