"""Linking texts to the toy Wikipedia of tests/data/wikipedia, and to one with texts."""

from math import log
from pathlib import Path

import numpy as np
import pytest

from features.measures.scope import Scope
from features.measures.selections import ScopeReader
from features.profiles.blocks import Block
from features.profiles.profile import AnalysedValue, Profile
from features.research.measures.linked import linked as linked_in
from features.research.wikipedia.linking import Linker, relatedness
from features.research.wikipedia.phrases import phrase_key, units
from features.research.wikipedia.store import Wikipedia
from features.text.annotation import Mention, Word
from tests.builders import NONE, profile, record, text_profile
from tests.wikipedia_builders import articles, built, dump_texts, packed


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Wikipedia:
    folder = tmp_path_factory.mktemp("toy")
    return built(packed(folder / "dumps", dump_texts()), folder / "wikipedia")


def linked(wikipedia: Wikipedia, of: Profile | str) -> list[tuple[str, str]]:
    """The words that name an article, and its title."""
    (results,) = Linker(wikipedia).links([text_profile(of) if isinstance(of, str) else of])
    return [(where.term, wikipedia.title(article)) for article, where in results]


def tagged(text: str, tags: str, *mentions: tuple[str, str]) -> Profile:
    """A title with given tags, N for a noun and P for a proper one, and mentions (kind, text)."""
    names = {"N": "NOUN", "P": "PROPN", "A": "ADJ", "V": "VERB", "I": "ADP", ",": "PUNCT"}
    words, at = [], 0
    for form, tag in zip(text.split(" "), tags, strict=True):
        words.append(Word(at, at + len(form), form, form.lower(), names[tag]))
        at += len(form) + 1
    results = [Mention(text.index(name), text.index(name) + len(name), kind, name) for kind, name in mentions]
    return Profile((AnalysedValue("title", 0, tuple(words), tuple(results)),))


def test_titles_redirects_and_shortened_titles(toy: Wikipedia) -> None:
    assert linked(toy, "the gondola of La Serenissima") == [
        ("gondola", "Gondola"),
        ("La Serenissima", "Venice"),
    ]
    assert linked(toy, "Fete galante") == [("Fete galante", "Fête galante")]
    assert linked(toy, "O ' Brien ' s Boat") == [("O ' Brien ' s Boat", "O'Brien's \"Boat\"")]
    assert linked(toy, "nothing here , round about nowhere") == []


def test_the_longest_match_wins(toy: Wikipedia) -> None:
    # Troy is an article too
    assert linked(toy, "Helen of Troy") == [("Helen of Troy", "Helen of Troy")]
    assert linked(toy, "Helen at Troy") == [("Troy", "Troy")]


def test_occurrences_point_at_the_words(toy: Wikipedia) -> None:
    text = "View of Helen of Troy, Paris"
    (((_, helen), (_, paris)),) = Linker(toy).links([text_profile(text, "description")])
    assert (text[helen.start : helen.end], helen.part, helen.index) == ("Helen of Troy", "description", 0)
    assert text[paris.start : paris.end] == "Paris"


def test_commonness_counts_the_links_that_name_a_title(toy: Wikipedia) -> None:
    # links name Paris 3 times (France, Gondola, Fête galante) and Paris (mythology) twice (Helen, Troy);
    # with one more for each: 4/7 and 3/7
    row = int(np.searchsorted(toy.arrays["surfaces"], np.uint64(phrase_key(units("Paris")))))
    start, end = toy.arrays["candidates-starts"][row : row + 2].tolist()
    results = {toy.title(int(a)): float(c) for a, c in zip(
        toy.arrays["candidates"][start:end], toy.arrays["commonness"][start:end], strict=True
    )}  # fmt: skip
    assert results == pytest.approx({"Paris": 4 / 7, "Paris (mythology)": 3 / 7})


def test_relatedness_decides_what_commonness_would_get_wrong(toy: Wikipedia) -> None:
    # articles that link to Paris (mythology): Helen, Troy; to Helen: Paris (mythology), Troy. One shared, of
    # 11: 1 - (ln 2 - ln 1) / (ln 11 - ln 2) = .5934; to Paris: France, Gondola, Fête galante, none shared.
    # So 3/7 (.5934 + .05) = .276 against 4/7 (0 + .05) = .029
    assert linked(toy, "Paris")[0][1] == "Paris"
    assert linked(toy, "Paris carries off Helen of Troy")[0][1] == "Paris (mythology)"
    assert linked(toy, "Paris , France")[0][1] == "Paris"
    helen, mythical = (
        toy.inlinks(next(n for n in range(11) if toy.title(n) == title))
        for title in ("Helen of Troy", "Paris (mythology)")
    )
    assert relatedness(helen, mythical, 11) == pytest.approx(1 - log(2) / (log(11) - log(2)))


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [([], [], 0.0), ([1], [], 0.0), ([1, 2], [3], 0.0), ([1, 2], [1, 2], 1.0), (range(9), [8], 0.0)],
)
def test_relatedness_at_its_ends(left: list[int], right: list[int], expected: float) -> None:
    # the last: 1 - (ln 9 - ln 1) / (ln 9 - ln 1) = 0 where all but one article link to one
    a, b = np.array(left, np.int32), np.array(right, np.int32)
    assert relatedness(a, b, 9) == relatedness(b, a, 9) == pytest.approx(expected)


def test_a_part_of_a_name_is_not_linked(toy: Wikipedia) -> None:
    assert linked(toy, tagged("Paris Hall", "PP", ("person", "Paris Hall"))) == []
    assert linked(toy, tagged("Venice Street", "PP", ("location", "Venice Street"))) == []
    assert linked(toy, tagged("Museum of Venice", "PIP")) == []
    assert linked(toy, tagged("gondola printed dress", "NAN")) == []
    assert linked(toy, tagged("Rialto , Venice", "P,P", ("location", "Rialto , Venice"))) == [
        ("Venice", "Venice")
    ]
    assert linked(toy, tagged("Lady Canaletto", "PP", ("person", "Canaletto"))) == [
        ("Canaletto", "Canaletto")
    ]


def test_what_is_no_noun_is_not_linked(toy: Wikipedia) -> None:
    assert linked(toy, tagged("gondola", "N")) == [("gondola", "Gondola")]
    assert linked(toy, tagged("gondola", "V")) == []


def test_creators_are_read_as_names(toy: Wikipedia, tmp_path: Path) -> None:
    assert linked(toy, profile(record("a", "x", creator="Canaletto"))) == [("Canaletto", "Canaletto")]
    plain = packed(tmp_path / "plain", {"links.tsv": "J. M. W. Turner\tJohn Constable\n"})
    wikipedia = built(plain, tmp_path / "wikipedia")
    for creator in ("Turner, J. M. W.", "Joseph Mallord William Turner", "J.M.W. Turner (1775-1851)"):
        assert [title for _, title in linked(wikipedia, profile(record("a", creator=creator)))] == [
            "J. M. W. Turner"
        ]
    assert linked(wikipedia, profile(record("a", creator="Charles Turner"))) == []


def test_a_scope_picks_among_the_links(toy: Wikipedia) -> None:
    block = Block([profile(record("a", "Gondola in Venice", creator="Canaletto", places="Bath"))])
    names = [
        [
            toy.title(article)
            for article, _ in linked_in(block, Linker(toy), ScopeReader(scope, NONE)).of(block, 0)
        ]
        for scope in (
            Scope(),
            Scope(parts=("title",)),
            Scope(entities=("location",)),
            Scope(parts=("creator",), entities=("person",)),
            Scope(parts=("creator",), names=True),
            Scope(parts=("description",)),
        )
    ]
    assert names == [
        ["Gondola", "Venice", "Canaletto"],
        ["Gondola", "Venice"],
        ["Venice"],
        ["Canaletto"],
        ["Canaletto"],
        [],
    ]


def test_words_that_texts_seldom_link_are_left_alone(tmp_path: Path) -> None:
    # 'life' stands in 40 texts and 1 of them links to Life: .025, under .03; 'boat' in 20, of which 1: .05;
    # 'queen' in 21, of which 1 links to Queen (band): .048, under the .05 of a title without its qualifier
    texts = {f"A{n}": "life " + ("boat " if n < 20 else "queen ") for n in range(40)}
    texts |= {"Life": "", "Boat": "", "Queen (band)": "queen"}
    links = "A0\tLife\nA0\tBoat\nA39\tQueen (band)\n"
    files = {"links.tsv": links, "articles.jsonl": articles(texts)}
    wikipedia = built(packed(tmp_path / "plain", files), tmp_path / "wikipedia")
    assert linked(wikipedia, "the life of a queen in a boat") == [("boat", "Boat")]


def test_anchors_name_articles_too(tmp_path: Path) -> None:
    files = {"links.tsv": "Venice\tGondola\n", "anchors.tsv": "queen of the adriatic\tVenice\t12\n"}
    wikipedia = built(packed(tmp_path / "plain", files), tmp_path / "wikipedia")
    assert linked(wikipedia, "Queen of the Adriatic") == [("Queen of the Adriatic", "Venice")]
