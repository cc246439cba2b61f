"""Towns of the world, where neither WordNet nor the gazetteer knows a name."""

import subprocess
import sys

import pytest
from msgspec.structs import replace

from features.knowledge.resources import Resources
from features.knowledge.wordnet.places import places
from features.measures.scope import Scope
from features.profiles.profile import Profile
from features.text.annotation import Mention
from features.text.places.towns import towns
from tests.builders import value
from tests.features.knowledge.test_places import MINI, PLACES, read, real, text
from tests.features.measures.columns import occurrences

__all__ = ["real"]


def foreign(title: str, *persons: str) -> Profile:
    """A title in another language than English, where words in capital letters are of no kind."""
    of = value("title", title)
    words = tuple(replace(word, tag="X" if word.form[0].isupper() else "PART") for word in of.words)
    named = (Mention(title.index(name), title.index(name) + len(name), "person", name) for name in persons)
    return Profile((replace(of, words=words, mentions=tuple(named)),))


@pytest.mark.parametrize(
    ("title", "name", "terms"),
    [
        ("Main street of Ballarat", "Ballarat", ["ballarat, australia", "australia"]),
        ("Views of Uppsala", "Uppsala", ["uppsala, sweden", "sweden", "scandinavia", "europe"]),
        ("In Paramaribo", "Paramaribo", ["paramaribo, suriname", "suriname", "south america"]),
        # the gazetteer has it by another name
        ("Church at Dort", "Dort", ["dordrecht", "holland", "netherlands", "low countries"]),
        ("Old Batavia", "Batavia", ["jakarta", "java", "indonesia"]),
    ],
)
def test_a_location_that_no_list_has_is_the_town_of_that_name(
    title: str, name: str, terms: list[str]
) -> None:
    assert read(text(title, location=name))[: len(terms)] == terms


def test_a_town_is_as_wide_as_a_city() -> None:
    known = places(MINI.wordnet)
    assert known.width("ballarat, australia") == "city"
    assert known.width("ballarat, sweden") == "site"


def test_only_locations_are_towns_in_english() -> None:
    assert read(text("Miss Ballarat")) == []
    assert read(text("Ballarat Fort", location="Ballarat Fort")) == ["ballarat fort"]


def test_of_towns_of_one_name_the_one_in_the_land_that_is_named() -> None:
    # of 164,531 people of the four towns 80,596 live in that of England: less than three fifths
    assert [town.people for town in towns().named("Chatham")] == [80596, 43550, 31392, 8993]
    assert read(text("Chatham", location="Chatham")) == ["chatham"]
    assert read(text("Chatham, England", location="Chatham"))[1:2] == ["england"]
    assert read(text("Chatham, Canada", location="Chatham"))[:2] == ["chatham, canada", "canada"]


def test_a_town_of_the_region_that_is_named(real: Resources) -> None:
    lines = {
        state: read(text(f"Fairfield, {state}", location="Fairfield"), real)[:2]
        for state in ("Ohio", "Connecticut")
    }
    assert lines == {
        "Ohio": ["fairfield, ohio, united states", "Ohio"],
        "Connecticut": ["fairfield, connecticut, united states", "Connecticut"],
    }


def test_a_word_of_the_language_is_no_town(real: Resources) -> None:
    # there are towns of these names
    assert all(towns().named(name) for name in ("Temple", "Orange"))
    assert read(text("Temple", location="Temple"), real) == []
    assert "orange, california, united states" not in read(text("Orange", location="Orange"), real)


def test_a_lone_word_of_another_language_is_a_town() -> None:
    assert read(foreign("hus i Heilbronn"))[:2] == ["heilbronn, germany", "germany"]
    # what stands beside another name is none, nor is a part of a person's name
    assert read(foreign("hus av Otto Heilbronn")) == []
    assert read(foreign("hus av Heilbronn", "Heilbronn")) == []


def test_the_name_of_a_maker_is_no_town() -> None:
    maker = foreign("av Heilbronn").values[0]
    profile = Profile((replace(maker, part="creator"),))
    assert occurrences(profile, Scope(parts=("creator",), expand="places"), MINI) == []


def test_a_town_stands_where_its_name_does() -> None:
    results = occurrences(text("Street of Ballarat", location="Ballarat"), PLACES, MINI)
    assert {(one.start, one.end) for one in results} == {(10, 18)}


def test_towns_are_read_only_when_one_is_looked_up() -> None:
    code = (
        "from features.text.places import towns; import features.measures.places, service.cli.root; "
        "print(towns.towns.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
