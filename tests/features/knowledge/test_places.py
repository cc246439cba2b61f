"""Places and what they lie in, on the miniature WordNet and on the real one."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from pydantic import ValidationError

from features.knowledge.resources import Resources, ResourceSettings
from features.knowledge.wordnet.places import places
from features.knowledge.wordnet.reader import WordNet
from features.measures.overlap import OverlapSettings
from features.measures.scope import Scope
from features.measures.selections import ScopeReader
from features.profiles.blocks import Block
from features.profiles.profile import Profile
from features.research.measures.cardinality import CardinalitySettings
from features.research.measures.vectors import VectorsSettings
from features.text.annotation import Mention
from features.text.names.names import names
from ingest.errors import ResourceMissing
from tests.builders import NONE, value
from tests.features.measures.columns import bag, occurrences, tried

MINIATURE = Path(__file__).parents[2] / "data" / "wordnet"
MINI = Resources(ResourceSettings(wordnet=MINIATURE), Path("/nowhere"))
PLACES = Scope(parts=("title", "description"), expand="places")


def text(title: str, **mentions: str) -> Profile:
    """A title with mentions: ``location="Glen Glass"``; several are parted by a bar."""
    results = [
        Mention(title.index(name), title.index(name) + len(name), kind, name)
        for kind, names in mentions.items()
        for name in names.split("|")
    ]
    return Profile((value("title", title, mentions=tuple(sorted(results, key=lambda one: one.start))),))


def read(of: Profile, resources: Resources = MINI) -> list[str]:
    """The terms, synsets by their first word."""
    wordnet = resources.wordnet
    return [
        wordnet.label(wordnet.node(one.term)) if one.term[:8].isdigit() else one.term
        for one in occurrences(of, PLACES, resources)
    ]


def test_a_place_is_all_that_it_lies_in() -> None:
    # Eurasia, of which Europe is a part, is left out
    assert read(text("A view of Venice")) == ["venice", "veneto", "italy", "europe"]
    assert read(text("Venezia")) == read(text("Venice"))


def test_evidence_stands_where_the_name_does() -> None:
    results = occurrences(text("View of New York City"), PLACES, MINI)
    assert {(one.part, one.index, one.start, one.end) for one in results} == {("title", 0, 8, 21)}


def test_the_longest_name_counts_and_the_inner_of_one_name() -> None:
    city = ["New York", "New York", "united states", "north america"]
    assert read(text("New York City")) == city
    assert read(text("New York")) == city


def test_nationalities_name_the_country() -> None:
    assert read(text("Italian prints")) == ["italy", "europe"]
    assert read(text("american prints")) == []


def test_a_place_that_wordnet_lacks_is_kept_as_it_stands() -> None:
    assert read(text("Near Glen Glass", location="Glen Glass")) == ["glen glass"]
    assert read(text("Near Glen Glass")) == []


def test_of_two_places_of_a_name_the_one_whose_region_is_named() -> None:
    assert read(text("Cambridge, Maine"))[:2] == ["Cambridge", "Maine"]
    assert read(text("Cambridge, England"))[:2] == ["Cambridge", "england"]
    assert read(text("Cambridge", location="Cambridge")) == ["cambridge"]


def test_a_common_word_is_a_place_only_where_it_is_called_one() -> None:
    assert read(text("Rye and barley")) == []
    assert read(text("Rye and barley", location="Rye")) == [
        "Rye",
        "england",
        "united kingdom",
        "british isles",
        "europe",
    ]
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
    stored = bag(profile, Scope(expand="places"), MINI)
    dropped = bag(profile, Scope(expand="places", boilerplate="drop"), MINI)
    assert stored.total() - dropped.total() == 2  # Italy, Europe


def test_names_in_their_own_language_and_historic_names() -> None:
    assert read(text("Nihon"))[0] == read(text("Japan"))[0] == "japan"
    assert read(text("Bharat"))[:1] == ["india"]
    assert read(text("Al-Miṣrī")) == read(text("Miṣr")) == ["egypt", "north africa", "africa"]
    assert read(text("Constantinople"))[:2] == ["istanbul", "turkey"]


def test_cultures_dynasties_and_periods_imply_a_place() -> None:
    assert read(text("Etruscan mirror")) == ["etruria", "italy", "europe"]
    assert read(text("Mughal dagger"))[0] == "india"
    assert read(text("From the 18th dynasty"))[0] == read(text("Middle Kingdom scarab"))[0] == "egypt"
    # a period of Japan, and the city that it is named after
    assert read(text("Edo period"))[0] == "japan"
    assert read(text("Seen in Edo"))[0] == "tokyo"
    assert read(text("Gothic ivory")) == read(text("the 18th of May")) == []


def test_a_path_of_places_is_read_whole() -> None:
    written = "Europe > Italia > Provincia > Nowhere"
    name = Mention(30, 37, "location", "Nowhere")
    results = occurrences(
        Profile((value("places", written, mentions=(name,)),)), Scope(expand="places"), MINI
    )
    assert results == []  # of the six fields it is none
    scope = Scope(parts=("places",), expand="places")
    results = occurrences(Profile((value("places", written, mentions=(name,)),)), scope, MINI)
    # what is known, and its end
    assert [(one.term, one.start) for one in results] == [
        ("europe", 0), ("italy", 9), ("europe", 9), ("nowhere", 30)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("creator", "place"),
    [
        ("Egyptian", "egypt"),
        ("Venetian ()", "venice"),
        ("Utagawa Kuniyoshi (Japanese, 1798-1861)", "japan"),
        ("Greco-Roman", "roman empire"),
        ("Possibly Flemish (?)", "flanders"),
        ("Sèvres Porcelain Manufactory", "sèvres"),
        ("Lukas of Cyprus", "cyprus"),
        ("Paris Bordone", None),
        ("Holland, Henry", None),
        ("Daniel Chester French", None),
    ],
)
def test_the_place_that_a_creator_tells_of(creator: str, place: str | None) -> None:
    of = Profile((replace(value("creator", creator), names=names(creator)),))
    results = occurrences(of, Scope(parts=("creator",), expand="places"), MINI)
    assert [one.term for one in results[:1]] == ([] if place is None else [place])


@pytest.mark.parametrize("other", [{"tags": ("NOUN",)}, {"entities": ("location",)}, {"lemmas": ("sea",)}])
def test_whole_names_cannot_be_picked_by_word(other: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(ValidationError, match="expand: places"):
        Scope.model_validate({"expand": "places", **other})


def test_overlap_reads_places() -> None:
    settings = OverlapSettings(measure="overlap", scope=PLACES)
    assert (settings.needs, settings.theme) == (("wordnet",), "places")
    venice, england = text("Venice"), text("England")
    column = tried([venice, england], settings, MINI)
    # Europe of Venice, Veneto, Italy, Europe and of England, the United Kingdom, the British Isles
    assert column.pair(venice, england) == pytest.approx(1 / 7)
    assert column.compare(venice).tolist() == pytest.approx([1, 1 / 7])
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
def real() -> Resources:
    resources = Resources(ResourceSettings(), Path("/nowhere"))
    try:
        assert isinstance(resources.wordnet, WordNet)
    except ResourceMissing as error:
        pytest.skip(error.detail)
    return resources


@pytest.mark.parametrize(
    ("title", "results"),
    [
        ("Approach to Venice", ["venice", "veneto", "italy", "europe"]),
        (
            "Pittsburgh",
            ["Pittsburgh", "Pennsylvania", "united states", "Mid-Atlantic states", "north america"],
        ),
        ("Melbourne, Florida", ["Melbourne", "Florida", "united states"]),
        ("Chinese export porcelain", ["china", "east asia", "asia"]),
        ("French prints", ["france", "europe"]),
        ("Canadians", ["canada", "north america"]),
        ("Transferred from Tate", []),
        ("Collins, Turner and Carnegie", []),
        ("Reading by the fire", []),
        ("China and glass", ["china", "east asia", "asia"]),
        ("Georgian houses", []),
        ("Western costume, the Orient", []),
    ],
)
def test_places_of_the_real_wordnet(real: Resources, title: str, results: list[str]) -> None:
    assert read(text(title), real)[: len(results) or None] == results


def test_what_lies_in_a_city_is_a_site(real: Resources) -> None:
    known = places(real.wordnet)
    canals = {known.line(place): known.width(place) for place in known.called("grand canal")}
    # that of Venice, and that of China
    assert {width for line, width in canals.items() if "venice" in line} == {"site"}
    assert {width for line, width in canals.items() if "venice" not in line} == {"region"}
