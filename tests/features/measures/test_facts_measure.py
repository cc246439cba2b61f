"""Facts of two items, by a model made by hand that stands in for the one that comes with Kindred."""

from collections.abc import Mapping, Sequence
from math import exp, isnan, nan, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from features.facts.words import FactWordsReader
from features.knowledge.resources import Resources, ResourceSettings
from features.measures import facts as measure
from features.measures.base import Theme, plain
from features.measures.facts import FactsSettings
from features.measures.searchable import Level, Vector
from features.profiles.blocks import Block
from features.profiles.profile import Profile
from ingest.errors import ConfigError, DamagedArtefact, ResourceMissing
from ingest.record import Record
from tests.builders import profile, random_records, record
from tests.features.facts.models import Slopes, saved
from tests.features.knowledge.test_wordnet_words import MINIATURE
from tests.features.measures.columns import Tried, fitted_arrays, tried

MADE: Mapping[str, Slopes] = {
    "event": {"base": -16},
    "people": {"base": -1, "t:king": 2.5, "t:queen": 1},
    "people/shown": {"base": 16},
    # 0 or 255 of 255, and 128 where it is .5
    "events/war": {"base": -16, "d:battle": 32},
    "kinds/men": {"base": -16, "d:king": 32},
    "kinds/women": {"base": -16, "d:queen": 32, "d:anybody": 16},
}
FREQUENCIES = (0.3, 0.5, 0.4, 0.08, 0.48, 0.23)

KING, QUEEN, SEA = (
    profile(record("k", "The king")),
    profile(record("q", "A queen")),
    profile(record("s", "Sea")),
)
NOTHING = Profile(())


def likely(logit: float) -> float:
    return 1 / (1 + exp(-logit))


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Resources:
    """The miniature WordNet, and the model in a folder of its own."""
    folder = tmp_path_factory.mktemp("facts")
    saved(folder, MADE, frequencies=FREQUENCIES)
    return Resources(ResourceSettings(wordnet=MINIATURE), Path("/nowhere"), facts=folder)


def settings(*of: str, **keys: object) -> FactsSettings:
    return FactsSettings.model_validate({"measure": "facts", "of": of, **keys})


def people(compare: str, **keys: object) -> FactsSettings:
    return settings("people", compare=compare, **keys)


def cosine(*of: str) -> FactsSettings:
    return settings(*of, compare="cosine")


# -- presence --------------------------------------------------------------------------------------


def test_both_is_the_smaller_and_either_the_larger(toy: Resources) -> None:
    items = [KING, QUEEN, SEA]
    # -1 + 2.5; -1 + 1; -1
    both = tried(items, people("both"), toy).promises(items, QUEEN)
    assert both == pytest.approx([likely(0), likely(0), likely(-1)])
    either = tried(items, people("either"), toy).promises(items, QUEEN)
    assert either == pytest.approx([likely(1.5), likely(0), likely(0)])


def test_what_the_museum_indexes_is_sure(toy: Resources) -> None:
    indexed = profile(record("i", "Sea", people="Ada Reed", places="Venice"))
    items = [SEA, indexed]
    sure = people("either", sure=["people"])
    assert tried(items, sure, toy).promises(items, KING) == pytest.approx([likely(1.5), 1])
    # only the parts that are named make it so, and only of whom they name
    assert tried(items, people("either"), toy).pair(KING, indexed) == pytest.approx(likely(1.5))
    assert tried(items, people("both", sure=["people"]), toy).pair(KING, indexed) == pytest.approx(
        likely(1.5)
    )
    assert tried(items, people("both", sure=["people", "places"]), toy).pair(indexed, indexed) == 1
    assert tried(items, people("either", sure=["events"]), toy).pair(SEA, indexed) == pytest.approx(
        likely(-1)
    )


@pytest.mark.parametrize("of", [people("both"), people("either"), cosine("kinds/")])
def test_an_item_without_words_says_nothing(toy: Resources, of: FactsSettings) -> None:
    items = [NOTHING, KING]
    values = tried(items, of, toy).promises(items, KING)
    assert (isnan(values[0]), isnan(values[1])) == (True, False)
    assert all(isnan(value) for value in tried(items, of, toy).promises(items, NOTHING))


def test_an_engine_is_told_the_probability_of_each(toy: Resources) -> None:
    for compare in ("both", "either"):
        column = plain(tried([KING, NOTHING], people(compare), toy).column)
        level = column.searchable()
        assert isinstance(level, Level)
        assert level.of(column.table) == pytest.approx([likely(1.5), nan], nan_ok=True)
        assert level.smaller == (compare == "both")


# -- cosine ----------------------------------------------------------------------------------------


def test_the_cosine_weighs_a_category_by_its_rarity(toy: Resources) -> None:
    # weights squared 1000 / (f + .02): men 2,000, women 4,000, war 10,000
    king = profile(record("a", "king and anybody"))  # men 255, women 128
    war = profile(record("b", "king", description="battle of anybody"))  # men 255, women 128, war 255
    queen = profile(record("c", "queen in battle"))  # women 255, war 255
    items = [king, war, queen]
    square = 2000 * 255**2 + 4000 * 128**2
    with_war = square + 10_000 * 255**2
    of_queen = 4000 * 255**2 + 10_000 * 255**2
    values = tried(items, cosine("events/", "kinds/"), toy).promises(items, war)
    expected = [
        square / sqrt(square * with_war),
        1,
        (4000 * 128 * 255 + 10_000 * 255**2) / sqrt(with_war * of_queen),
    ]
    assert values == pytest.approx(expected)
    # of kinds alone
    assert tried(items, cosine("kinds/"), toy).promises(items, war) == pytest.approx(
        [1, 1, 4000 * 128 * 255 / sqrt(square * 4000 * 255**2)]
    )


def test_what_nothing_is_predicted_of_is_like_nothing(toy: Resources) -> None:
    items = [SEA, KING]
    assert tried(items, cosine("kinds/"), toy).promises(items, SEA) == [0, 0]


def test_an_engine_is_told_vectors_whose_products_are_the_cosines(toy: Resources) -> None:
    items = [profile(record("a", "king and anybody")), QUEEN, SEA]
    measured = tried(items, cosine("kinds/"), toy)
    column = plain(measured.column)
    vector = column.searchable()
    assert isinstance(vector, Vector)
    units = vector.unit(column.table)
    pairs = [[measured.pair(one, other) for other in items] for one in items]
    assert units @ units.T == pytest.approx(np.array(pairs), abs=1e-6)


# -- evidence --------------------------------------------------------------------------------------


def test_evidence_are_the_words_that_speak_for_the_category(toy: Resources) -> None:
    left = profile(record("a", "The king and a king", description="A king, queen of the sea"))
    right = profile(record("b", "King of Venice"))
    column = plain(tried([left, right], people("both"), toy).column)
    pairs = column.evidence(Block([left, right]), 0, 1)
    # all places of the word, also those that add nothing; the queen of a description says nothing
    assert [(one.term, one.part, one.start) for one in pairs[0].left] == [
        ("king", "title", 4),
        ("king", "title", 15),
        ("king", "description", 2),
    ]
    assert [(one.term, one.part, one.start, one.end) for one in pairs[0].right] == [("king", "title", 0, 4)]
    assert len(pairs) == 1
    # of another item of the block alone, and of words that say nothing
    assert column.evidence(Block([SEA, left, right]), 1, 2) == pairs
    assert column.evidence(Block([left, SEA]), 0, 1) == ()


def test_words_that_say_little_are_no_evidence(tmp_path: Path) -> None:
    model = {"people": {"t:king": 0.25, "t:queen": 0.125, "t:sailing": -1}}
    saved(tmp_path, model)
    other = Resources(ResourceSettings(wordnet=MINIATURE), Path("/nowhere"), facts=tmp_path)
    both = [profile(record(name, "king queen sailing")) for name in "ab"]
    column = plain(tried(both, people("both"), other).column)
    # more than .2 each
    pairs = column.evidence(Block(both), 0, 1)
    assert [{one.term for one in (*pair.left, *pair.right)} for pair in pairs] == [{"king"}]


# -- promises --------------------------------------------------------------------------------------


@given(records=random_records(least=1, most=5))
def test_it_keeps_the_promises_of_a_measure(toy: Resources, records: Sequence[Record]) -> None:
    items = [profile(one) for one in records]
    for of in (people("both", sure=["places"]), people("either"), cosine("people", "kinds/")):
        tried(items, of, toy).promises(items, items[0])


@given(compare=st.sampled_from(["both", "either"]), own=st.sampled_from([KING, QUEEN, SEA]))
def test_an_item_has_with_itself_what_it_has(toy: Resources, compare: str, own: Profile) -> None:
    expected = {id(KING): likely(1.5), id(QUEEN): likely(0), id(SEA): likely(-1)}[id(own)]
    assert tried([own], people(compare), toy).pair(own, own) == pytest.approx(expected)


def test_a_block_is_read_by_the_model_once_for_all_features(
    toy: Resources, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = [
        of.column({}, toy, {}) for of in (people("both"), cosine("kinds/"), settings("event", compare="both"))
    ]
    block = Block([KING, SEA])
    plain(columns[0]).of(block)
    monkeypatch.setattr(FactWordsReader, "words", lambda *_: pytest.fail("the words were read again"))
    assert [len(plain(column).of(block)) for column in columns] == [2, 2, 2]


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of", "name"),
    [
        (settings("peeple", compare="both"), "peeple"),
        (settings("kinds/", compare="either"), "kinds/"),
        (cosine("kinds/", "event/"), "event/"),
    ],
)
def test_a_category_that_there_is_not_is_refused_with_those_that_there_are(
    toy: Resources, of: FactsSettings, name: str
) -> None:
    listed = "event, people, people/shown, events/war, kinds/men, kinds/women"
    with pytest.raises(ConfigError, match=f"no category of facts is called '{name}': {listed}"):
        of.builder(toy)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"of": ["people", "event"], "compare": "both"}, "compare: both is of one category"),
        ({"of": ["people", "event"], "compare": "either"}, "compare: either is of one category"),
        (
            {"of": ["kinds/"], "compare": "cosine", "sure": ["people"]},
            "sure goes with compare: both or either",
        ),
        ({"of": [], "compare": "cosine"}, "at least 1 item"),
        ({"of": ["people"], "compare": "overlap"}, "compare"),
        ({"of": ["people"], "compare": "both", "sure": ["persons"]}, "sure"),
    ],
)
def test_settings_that_make_no_sense_are_refused(keys: Mapping[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        FactsSettings.model_validate({"measure": "facts", **keys})


def test_without_a_folder_the_model_is_that_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = saved(tmp_path, MADE)
    monkeypatch.setattr(measure, "SHIPPED", tmp_path)
    alone = Resources(ResourceSettings(wordnet=MINIATURE), Path("/nowhere"))
    named = people("both", model=model.name)
    arrays = fitted_arrays(named.builder(alone), [KING])
    assert Tried(named.column(arrays, alone, {})).pair(KING, KING) == pytest.approx(likely(1.5))
    older = people("both", model="ab" * 8)
    for refused in (lambda: older.column(arrays, alone, {}), lambda: older.builder(alone)):
        with pytest.raises(
            DamagedArtefact, match=f"{model.name}, not 'abababababababab'; run: kindred build"
        ):
            refused()
    # a folder that is named stands over it
    assert Tried(older.column(arrays, alone.with_facts(tmp_path), {})).pair(KING, KING) > 0


def test_a_model_of_other_vectors_is_refused(tmp_path: Path) -> None:
    saved(tmp_path, MADE, encoder="another")
    other = Resources(ResourceSettings(wordnet=MINIATURE), Path("/nowhere"), facts=tmp_path)
    with pytest.raises(DamagedArtefact, match="learnt from other vectors of words"):
        people("both").builder(other)


def test_it_needs_wordnet_and_is_the_same_over_either_encoder(toy: Resources) -> None:
    of = people("both")
    assert of.needs == ("wordnet",)
    assert of.with_encoder("full") is of
    absent = Resources(ResourceSettings(wordnet=Path("/nowhere")), Path("/nowhere"), facts=toy.facts)
    with pytest.raises(ResourceMissing):
        of.builder(absent)


@pytest.mark.parametrize(
    ("of", "theme"),
    [
        (people("both"), "presence of people"),
        (settings("event", compare="either"), "presence of events"),
        (settings("place", compare="both"), "presence"),
        (cosine("events/"), "kinds"),
    ],
)
def test_what_agreement_in_it_means(of: FactsSettings, theme: Theme) -> None:
    assert of.theme == theme


def test_resources_with_another_model(tmp_path: Path, toy: Resources) -> None:
    assert toy.with_facts(toy.facts) is toy
    other = toy.with_facts(tmp_path)
    assert (other.facts, other.with_facts(None).facts) == (tmp_path, None)
    make, arguments = other.__reduce__()
    assert make(*arguments).facts == tmp_path
