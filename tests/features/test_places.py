"""Places and what they lie in, on the miniature WordNet and on the real one."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from features.knowledge.installed import InstalledResources
from features.knowledge.resources import ResourceSettings
from features.knowledge.wordnet.reader import WordNet
from features.measures.cardinality import CardinalitySettings
from features.measures.overlap import OverlapSettings
from features.measures.scope import Scope
from features.measures.selections import ScopeReader
from features.measures.vectors import VectorsSettings
from features.profiles.blocks import Block
from features.profiles.profile import Profile
from features.text.annotation import Mention
from ingest.errors import ResourceMissing
from tests.builders import NONE, value
from tests.features.columns import bag, occurrences, tried

MINIATURE = Path(__file__).parents[1] / "data" / "wordnet"
MINI = InstalledResources(ResourceSettings(wordnet=MINIATURE), Path("/nowhere"))
PLACES = Scope(parts=("title", "description"), expand="places")


def text(title: str, **mentions: str) -> Profile:
    """A title with mentions: ``location="Glen Glass"``; several are parted by a bar."""
    found = [
        Mention(title.index(name), title.index(name) + len(name), kind, name)
        for kind, names in mentions.items()
        for name in names.split("|")
    ]
    return Profile((value("title", title, mentions=tuple(sorted(found, key=lambda one: one.start))),))


def read(of: Profile, resources: InstalledResources = MINI) -> list[str]:
    """The terms, synsets by their first word."""
    wordnet = resources.wordnet
    return [
        wordnet.label(wordnet.node(one.term)) if one.term[:8].isdigit() else one.term
        for one in occurrences(of, PLACES, resources)
    ]


def test_a_place_is_all_that_it_lies_in() -> None:
    # Eurasia, of which Europe is a part, is left out
    assert read(text("A view of Venice")) == ["Venice", "Veneto", "Italy", "Europe"]
    assert read(text("Venezia")) == read(text("Venice"))


def test_evidence_stands_where_the_name_does() -> None:
    found = occurrences(text("View of New York City"), PLACES, MINI)
    assert {(one.part, one.index, one.start, one.end) for one in found} == {("title", 0, 8, 21)}


def test_the_longest_name_counts_and_the_inner_of_one_name() -> None:
    city = ["New York", "New York", "United States"]
    assert read(text("New York City")) == city
    assert read(text("New York")) == city


def test_nationalities_name_the_country() -> None:
    assert read(text("Italian prints")) == ["Italy", "Europe"]
    assert read(text("american prints")) == []


def test_a_place_that_wordnet_lacks_is_kept_as_it_stands() -> None:
    assert read(text("Near Glen Glass", location="Glen Glass")) == ["glen glass"]
    assert read(text("Near Glen Glass")) == []


def test_of_two_places_of_a_name_the_one_whose_region_is_named() -> None:
    assert read(text("Cambridge, Maine"))[:2] == ["Cambridge", "Maine"]
    assert read(text("Cambridge, England"))[:2] == ["Cambridge", "England"]
    assert read(text("Cambridge", location="Cambridge")) == ["cambridge"]


def test_a_common_word_is_a_place_only_where_it_is_called_one() -> None:
    assert read(text("Rye and barley")) == []
    assert read(text("Rye and barley", location="Rye")) == ["Rye", "England", "Europe"]
    # two words of which Rye is one are another place
    assert read(text("Rye Hill", location="Rye Hill")) == ["rye hill"]


def test_people_and_streets_are_no_places() -> None:
    assert read(text("Miss Venice Jones", person="Venice Jones")) == []
    assert read(text("Manhattan Road")) == []
    assert read(text("Manhattan Road", location="Manhattan Road")) == ["manhattan road"]
    assert read(text("Turner in the South")) == []


def test_boilerplate_can_be_left_out() -> None:
    of = value("description", "Venice. Gift from Italy")
    profile = Profile((type(of)(of.part, 0, of.words, (), boilerplate=((8, 23),)),))
    kept = bag(profile, Scope(expand="places"), MINI)
    dropped = bag(profile, Scope(expand="places", boilerplate="drop"), MINI)
    assert kept.total() - dropped.total() == 2  # Italy, Europe


@pytest.mark.parametrize("other", [{"tags": ("NOUN",)}, {"entities": ("location",)}, {"lemmas": ("sea",)}])
def test_whole_names_cannot_be_picked_by_word(other: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(ValidationError, match="expand: places"):
        Scope.model_validate({"expand": "places", **other})


def test_overlap_reads_places() -> None:
    settings = OverlapSettings(measure="overlap", scope=PLACES)
    assert (settings.needs, settings.theme) == (("wordnet",), "places")
    venice, england = text("Venice"), text("England")
    column = tried([venice, england], settings, MINI)
    # Europe of Venice, Veneto, Italy, Europe and England
    assert column.pair(venice, england) == pytest.approx(1 / 5)
    assert column.compare(venice).tolist() == pytest.approx([1, 1 / 5])
    (shared,) = column.evidence(venice, england)
    assert (shared.left[0].start, shared.left[0].end, shared.right[0].end) == (0, 6, 7)


@pytest.mark.parametrize("settings", [VectorsSettings, CardinalitySettings])
def test_synsets_have_no_word_vectors(
    settings: type[VectorsSettings] | type[CardinalitySettings],
) -> None:
    name = "vectors" if settings is VectorsSettings else "cardinality"
    with pytest.raises(ValidationError, match="no word vectors"):
        settings.model_validate({"measure": name, "scope": {"also": [{"expand": "places"}]}})
    events = settings.model_validate({"measure": name, "scope": {"expand": "events"}})
    assert events.needs == ("wordnet",)


def test_all_who_ask_share_what_a_scope_picks_of_a_block() -> None:
    block, scope = Block([text("Venice")]), Scope(parts=("title",))
    assert ScopeReader(scope, NONE).selection(block) is ScopeReader(scope, MINI).selection(block)


@pytest.fixture(scope="module")
def real() -> InstalledResources:
    resources = InstalledResources(ResourceSettings(), Path("/nowhere"))
    try:
        assert isinstance(resources.wordnet, WordNet)
    except ResourceMissing as error:
        pytest.skip(error.detail)
    return resources


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Approach to Venice", ["Venice", "Veneto", "Italy", "Europe"]),
        (
            "Pittsburgh",
            ["Pittsburgh", "Pennsylvania", "United States", "Mid-Atlantic states", "North America"],
        ),
        ("Melbourne, Florida", ["Melbourne", "Florida", "United States"]),
        ("Chinese export porcelain", ["China", "Asia"]),
        ("French prints", ["France", "Europe"]),
        ("Canadians", ["Canada", "North America"]),
        ("Transferred from Tate", []),
        ("Collins, Turner and Carnegie", []),
        ("Reading by the fire", []),
        ("China and glass", ["China", "Asia"]),
        ("Georgian houses", []),
        ("Western costume, the Orient", []),
    ],
)
def test_places_of_the_real_wordnet(real: InstalledResources, title: str, found: list[str]) -> None:
    assert read(text(title), real)[: len(found) or None] == found
