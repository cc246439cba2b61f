"""What scopes and Wikipedia pick of the items of a block."""

from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from features.knowledge.resources import Resources, ResourceSettings
from features.measures import selections
from features.measures.scope import Scope
from features.measures.selections import ScopeReader
from features.profiles.blocks import Block, Lexicon
from features.profiles.profile import AnalysedValue, Profile
from features.research.measures.linked import linked
from features.research.wikipedia.linking import Linker
from features.text.annotation import KINDS, Mention, Word
from features.text.names.names import names
from tests.builders import NONE, text_profile, value
from tests.features.measures.columns import occurrences
from tests.wikipedia_builders import built, dump_texts, packed

MINI = Resources(ResourceSettings(wordnet=Path(__file__).parents[2] / "data" / "wordnet"), Path("/nowhere"))
FORMS = (
    "Venice",
    "New",
    "York",
    "City",
    "dogs",
    "dog",
    "Sailor",
    "swims",
    "—",
    "1840",
    "Élan",
    "Helen",
    "of",
)
TAGS = ("NOUN", "PROPN", "VERB", "ADJ", "PUNCT")
PARTS = ("title", "creator", "subject", "description", "date", "source", "places")


def spans(most: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    bounds = st.tuples(st.integers(0, most), st.integers(0, most)).map(lambda pair: (min(pair), max(pair)))
    return st.lists(bounds, max_size=3).map(sorted)


@st.composite
def values(draw: st.DrawFn, part: str, index: int) -> AnalysedValue:
    forms = draw(st.lists(st.sampled_from(FORMS), max_size=6))
    starts = [*accumulate((len(form) + 1 for form in forms), initial=0)]
    words = tuple(
        Word(start, start + len(form), form, form.rstrip("s"), draw(st.sampled_from(TAGS)))
        for start, form in zip(starts, forms, strict=False)
    )
    text = " ".join(forms)
    mentions = tuple(
        Mention(start, end, draw(st.sampled_from(KINDS)), text[start:end])
        for start, end in draw(spans(len(text)))
    )
    made = names(draw(st.sampled_from(["Reed, Ada", "Ada Reed; Tom Hall", "unknown", "Helen of Troy"])))
    return AnalysedValue(
        part,
        index,
        words,
        mentions,
        names=made if part == "creator" else (),
        boilerplate=tuple(draw(spans(len(text)))) if part == "description" else (),
    )


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    # not always in the order of the fields
    chosen = draw(st.lists(st.tuples(st.sampled_from(PARTS), st.integers(0, 2)), max_size=4, unique=True))
    return Profile(tuple(draw(values(part, index)) for part, index in chosen))


parts = st.lists(st.sampled_from(PARTS), min_size=1, unique=True).map(tuple)
plain = st.builds(
    Scope,
    parts=parts,
    tags=st.lists(st.sampled_from(TAGS), max_size=2).map(tuple),
    entities=st.lists(st.sampled_from(KINDS), max_size=2).map(tuple),
    lemmas=st.sampled_from([(), ("Dog", "venice", "new")]),
    form=st.sampled_from(["form", "lemma"]),
    boilerplate=st.sampled_from(["keep", "drop"]),
)
expanded = st.builds(
    Scope,
    parts=parts,
    expand=st.sampled_from(["events", "people", "hypernyms", "places"]),
    boilerplate=st.sampled_from(["keep", "drop"]),
)
facts = st.builds(Scope, parts=parts, facts=st.sampled_from([("sets",), ("collections", "sets")]))
single = st.one_of(plain, expanded, facts, st.just(Scope(parts=("creator",), names=True)))
scopes = st.builds(
    lambda first, also: first.model_copy(update={"also": tuple(also)}), single, st.lists(single, max_size=2)
)


@given(st.lists(profiles(), min_size=1, max_size=4), scopes)
def test_a_scope_picks_of_an_item_among_others_what_it_picks_of_it_alone(
    some: list[Profile], scope: Scope
) -> None:
    reader, lexicon = ScopeReader(scope, MINI), Lexicon()
    # the second block meets the strings in another order than their numbers
    for order in (some, some[::-1]):
        block = Block(order, lexicon)
        alone = [occurrences(one, scope, MINI) for one in order]
        assert [
            selections.occurrences(block, reader.of_item(block, item)) for item in range(len(block))
        ] == alone
        assert len(reader.selection(block).terms) == sum(map(len, alone))


SHIP = Profile(
    (
        replace(value("description", "a ship at Bath . Gift of Tom Hall"), boilerplate=((17, 33),)),
        value("title", "Ships"),
        value("title", "Two", index=1),
    )
)
SEA = Profile((value("title", "Ada sailing", mentions=(Mention(0, 3, "person", "Ada"),)),))


@pytest.mark.parametrize(
    ("scope", "ship", "sea"),
    [
        # by part and index, not as the values stand in the profile, where several selections are joined
        (
            Scope(parts=("description",), also=(Scope(parts=("title",)),), boilerplate="drop"),
            "ships two a ship at bath",
            "ada sailing",
        ),
        # as they stand where one is read
        (Scope(boilerplate="drop"), "a ship at bath ships two", "ada sailing"),
        (Scope(parts=("description",)), "a ship at bath gift of tom hall", ""),
        (Scope(form="lemma", lemmas=("Ship",)), "ship ship", ""),
        (Scope(tags=("VERB",)), "", "sailing"),
        (Scope(entities=("person",)), "", "ada"),
    ],
)
def test_what_a_scope_picks_of_a_block(scope: Scope, ship: str, sea: str) -> None:
    block, reader = Block([SHIP, Profile(()), SEA]), ScopeReader(scope, NONE)
    picked = [
        [one.term for one in selections.occurrences(block, reader.of_item(block, item))] for item in range(3)
    ]
    assert picked == [ship.split(), [], sea.split()]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Linker:
    folder = tmp_path_factory.mktemp("toy")
    return Linker(built(packed(folder / "dumps", dump_texts()), folder / "wikipedia"))


@given(some=st.lists(profiles(), min_size=1, max_size=4), scope=plain)
def test_an_item_names_the_same_articles_among_others_as_alone(
    toy: Linker, some: list[Profile], scope: Scope
) -> None:
    block, reader = Block(some), ScopeReader(scope, MINI)
    alone = [linked(one, toy, reader).of(one, 0) for one in (Block([profile]) for profile in some)]
    assert [linked(block, toy, reader).of(block, item) for item in range(len(some))] == alone


def test_a_link_counts_where_a_word_of_it_is_picked(toy: Linker) -> None:
    block = Block([text_profile("of Troy"), text_profile("Helen of Troy , gondola")])
    for scope, expected in (
        (Scope(), ["Helen of Troy", "Gondola"]),
        (Scope(lemmas=("helen",)), ["Helen of Troy"]),
        # the verb of the toy language is none of its words
        (Scope(tags=("VERB",)), []),
    ):
        picked = linked(block, toy, ScopeReader(scope, NONE)).of(block, 1)
        assert [toy.wikipedia.title(article) for article, _ in picked] == expected


def test_the_name_of_a_person_is_no_kind_of_people() -> None:
    forms = ((0, "Ada"), (4, "Child"))
    words = tuple(Word(at, at + len(form), form, form.lower(), "PROPN") for at, form in forms)
    named = AnalysedValue("title", 0, words, (Mention(0, 9, "person", "Ada Child"),))
    reader, block = (
        ScopeReader(Scope(expand="people"), MINI),
        Block([Profile((named,)), Profile((replace(named, mentions=()),))]),
    )
    starts = [{one.start for one in selections.occurrences(block, reader.of_item(block, n))} for n in (0, 1)]
    assert starts == [set(), {4}]
