"""What scopes and Wikipedia pick of a block is what they pick of its profiles one by one."""

from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.knowledge.installed import InstalledResources
from features.knowledge.resources import ResourceSettings
from features.knowledge.wikipedia.linking import Linker
from features.measures.linked import linked, links
from features.measures.scope import Scope, ScopeReader
from features.measures.selections import selection
from features.profiles.blocks import Block, Lexicon
from features.profiles.occurrence import Occurrence
from features.profiles.profile import AnalysedValue, Profile
from features.text.annotation import KINDS, Mention, Word
from features.text.names import names
from tests.wikipedia_builders import built, dump_texts, packed

MINI = InstalledResources(
    ResourceSettings(wordnet=Path(__file__).parents[1] / "data" / "wordnet"), Path("/nowhere")
)
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
single = st.one_of(plain, expanded, st.just(Scope(parts=("creator",), names=True)))
scopes = st.builds(
    lambda first, also: first.model_copy(update={"also": tuple(also)}), single, st.lists(single, max_size=2)
)


def picked(block: Block, reader: ScopeReader) -> list[list[Occurrence]]:
    """What a scope picks of a block, as occurrences, item by item."""
    found: list[list[Occurrence]] = [[] for _ in range(len(block))]
    for value, start, end, term, tag in zip(*map(list, selection(block, reader)), strict=True):
        where = block.values[value]
        terms = block.lexicon.terms
        found[block.items[value]].append(
            Occurrence(terms[term], where.part, where.index, start, end, terms[tag])
        )
    return found


@given(st.lists(profiles(), max_size=4), scopes)
def test_a_scope_picks_of_a_block_what_it_picks_of_its_profiles(some: list[Profile], scope: Scope) -> None:
    reader = scope.reader(MINI)
    lexicon = Lexicon()
    for block in (Block(some, lexicon), Block(some[::-1], lexicon)):
        assert picked(block, reader) == [list(reader.occurrences(one)) for one in block.profiles]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Linker:
    folder = tmp_path_factory.mktemp("toy")
    return Linker(built(packed(folder / "dumps", dump_texts()), folder / "wikipedia"))


@given(some=st.lists(profiles(), max_size=4), scope=plain)
def test_a_block_names_the_articles_that_its_profiles_name(
    toy: Linker, some: list[Profile], scope: Scope
) -> None:
    block, reader = Block(some), scope.reader(MINI)
    found: list[list[tuple[int, str, int, int, int]]] = [[] for _ in some]
    for value, start, end, article in zip(
        *(column.tolist() for column in linked(block, toy, reader)), strict=True
    ):
        where = block.values[value]
        found[block.items[value]].append((article, where.part, where.index, start, end))
    assert found == [
        [(article, w.part, w.index, w.start, w.end) for article, w in links(profile, toy, reader)]
        for profile in some
    ]
