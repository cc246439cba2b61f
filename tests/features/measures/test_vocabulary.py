"""Terms are found where they lie: the same numbers as a dictionary of all of them would give."""

from hypothesis import given
from hypothesis import strategies as st

from features.measures.vocabulary import Vocabulary, written

# few letters, so that many terms begin with the same eight bytes; signs of one to four bytes, and the byte 0
terms = st.text(st.sampled_from("ab\0éß€𝄞"), max_size=12)


@given(st.sets(terms, max_size=40), st.lists(terms, max_size=20))
def test_every_term_has_the_number_of_its_place(known: set[str], wanted: list[str]) -> None:
    ordered = sorted(known)
    numbers = {term: place for place, term in enumerate(ordered)}
    vocabulary = Vocabulary(written(ordered))
    assert vocabulary.numbers(ordered).tolist() == list(range(len(ordered)))
    assert vocabulary.numbers(wanted).tolist() == [numbers.get(term, -1) for term in wanted]
    assert [vocabulary[place] for place in range(len(vocabulary))] == ordered


def test_terms_that_begin_alike_are_told_apart() -> None:
    # the first eight bytes of all are "painting"; the empty term and one of zeros have the same key
    ordered = ["", "\0", "painting", "painting\0", "painting.n.01", "painting.n.02", "paintings"]
    vocabulary = Vocabulary(written(ordered))
    assert vocabulary.numbers(["paintings", "painting", "", "painting.n.03", "paintin", "\0"]).tolist() == [
        6,
        2,
        0,
        -1,
        -1,
        1,
    ]
