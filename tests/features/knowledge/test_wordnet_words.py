"""Event words, kinds of people and hypernyms, on the miniature WordNet and on the real one."""

from pathlib import Path

import pytest

from features.knowledge.resources import Resources, ResourceSettings
from features.knowledge.wordnet.events import EventWords
from features.knowledge.wordnet.expansion import ExpansionKind
from features.knowledge.wordnet.people import People
from features.knowledge.wordnet.reader import WordNet
from features.measures.scope import Scope
from features.measures.selections import ScopeReader
from features.measures.tfidf import TfidfSettings
from ingest.errors import ResourceMissing
from tests.builders import text_profile
from tests.features.measures.columns import bag, occurrences, tried

MINIATURE = Path(__file__).parents[2] / "data" / "wordnet"
MINI = Resources(ResourceSettings(wordnet=MINIATURE), Path("/nowhere"))
ABSENT = Resources(ResourceSettings(wordnet=Path("/nowhere")), Path("/nowhere"))


@pytest.mark.parametrize("word", ["wedding", "banquet", "parade", "storm", "smile", "crouching", "weddings"])
def test_nouns_that_name_events(word: str) -> None:
    assert EventWords(MINI.wordnet).is_event(word, "NOUN")


# painting: made 6 / 10.5, an act 4.5 / 10.5, which is over three tenths, but it names a creation
@pytest.mark.parametrize("word", ["girl", "light", "painting", "creation", "box", "zebra"])
def test_nouns_that_name_none(word: str) -> None:
    assert not EventWords(MINI.wordnet).is_event(word, "NOUN")


def test_verbs_are_events_unless_they_are_states() -> None:
    words = EventWords(MINI.wordnet)
    assert [words.is_event(verb, "VERB") for verb in ("walk", "storm", "contain", "was")] == [1, 1, 0, 0]
    assert not words.is_event("walk", "AUX")
    assert not words.is_event("walk", "NOUN")
    assert words.is_event("Wedding", "PROPN")


def labels(wordnet: WordNet, word: str, tag: str = "NOUN") -> list[str]:
    return [wordnet.label(node) for node in People(wordnet).kinds(word, tag)]


def test_kinds_of_people_reach_up_to_person() -> None:
    assert labels(MINI.wordnet, "woman") == ["woman", "female", "person"]
    # both senses have a third of the use among people
    assert labels(MINI.wordnet, "girl") == ["girl", "woman", "female", "female child", "child", "person"]
    assert labels(MINI.wordnet, "crowd") == ["crowd", "gathering", "person"]


def test_what_names_no_kind_of_people() -> None:
    assert [labels(MINI.wordnet, word) for word in ("turner", "banquet", "painting", "zebra")] == [[]] * 4
    assert labels(MINI.wordnet, "girl", "VERB") == []


def test_a_figure_is_a_person() -> None:
    assert labels(MINI.wordnet, "figure") == ["person"]


def terms(expand: ExpansionKind, text: str) -> list[str]:
    return [one.term for one in occurrences(text_profile(text), Scope(expand=expand), MINI)]


def test_a_scope_of_event_words_counts_their_lemmas() -> None:
    assert terms("events", "Girls walking at weddings containing light") == ["walking", "wedding"]
    assert bag(text_profile("storms, a storm"), Scope(expand="events"), MINI) == {"storm": 2}


def test_terms_of_wordnet_stand_where_their_word_does() -> None:
    results = list(occurrences(text_profile("a woman"), Scope(expand="people"), MINI))
    assert [(one.term, one.start, one.end) for one in results] == [
        ("00000566-n", 2, 7),
        ("00000469-n", 2, 7),
        ("00000369-n", 2, 7),
    ]


def test_hypernyms_leave_the_most_general_levels_out() -> None:
    # entity 0, object 1, living thing 2, person 3, female 4, woman 5
    assert terms("hypernyms", "woman") == ["00000566-n", "00000469-n", "00000369-n"]
    assert terms("hypernyms", "zebra") == []


def test_joined_selections_are_read_each_in_its_way() -> None:
    scope = Scope(parts=("title",), also=(Scope(parts=("title",), expand="people"),))
    assert scope.needs == ("wordnet",)
    results = [one.term for one in occurrences(text_profile("crowd walking"), scope, MINI)]
    assert results == ["crowd", "00001249-n", "00001153-n", "00000369-n", "walking"]


def test_a_scope_prints_what_it_makes() -> None:
    assert str(Scope(parts=("title",), expand="people")) == "kinds of people in title"
    assert str(Scope(parts=("title",), expand="events", tags=("VERB",))) == "event words of VERB in title"


def test_a_scope_without_expand_reads_the_same_either_way() -> None:
    of = text_profile("Girls walking at weddings")
    assert list(occurrences(of, Scope(), ABSENT)) == list(occurrences(of, Scope()))
    assert Scope().needs == ()


def test_without_wordnet_the_scope_is_refused() -> None:
    settings = TfidfSettings(measure="tfidf", scope=Scope(expand="people"))
    assert settings.needs == ("wordnet",)
    with pytest.raises(ResourceMissing, match="WordNet"):
        settings.builder(ABSENT)
    with pytest.raises(ResourceMissing, match="WordNet"):
        ScopeReader(settings.scope, ABSENT)


def test_two_texts_are_compared_by_kinds_of_people() -> None:
    girl, woman, box = (text_profile(text) for text in ("a girl", "two women and a woman", "a box"))
    kinds = tried([girl, woman, box], TfidfSettings(measure="tfidf", scope=Scope(expand="people")), MINI)
    assert 0 < kinds.pair(girl, woman) < 1
    assert kinds.pair(girl, girl) == pytest.approx(1.0)
    assert str(kinds.pair(girl, box)) == "nan"
    assert kinds.compare(girl)[1] == pytest.approx(kinds.pair(girl, woman))
    strongest = kinds.evidence(girl, woman)[0]
    assert (strongest.left[0].start, strongest.left[0].end) == (2, 6)


EVENTS = """wedding banquet storm kneeling fire war party death funeral march laugh battle race parade
    concert dance lecture sermon flood festival discussion protest"""
NO_EVENTS = "drawing painting print building view study work etching engraving design portrait gift tree"


def test_events_of_museum_words(real: WordNet) -> None:
    words = EventWords(real)
    assert [word for word in EVENTS.split() if not words.is_event(word, "NOUN")] == []
    assert [word for word in NO_EVENTS.split() if words.is_event(word, "NOUN")] == []
    assert [verb for verb in ("be", "have", "do", "contain", "live") if words.is_event(verb, "VERB")] == []


def test_kinds_of_people_in_museum_words(real: WordNet) -> None:
    assert labels(real, "man") == ["man", "male", "adult", "person"]
    assert labels(real, "child") == ["child", "juvenile", "person"]
    assert labels(real, "soldier")[0] == "soldier"
    assert labels(real, "sitter")[0] == "artist's model"
    assert labels(real, "family")[-1] == "person"
    for word in ("portrait", "bust", "village", "court", "nation", "dog", "self"):
        assert labels(real, word) == [], word
