"""Terms are found where they lie: the same numbers as a dictionary of all of them would give."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from features.measures.base import parts
from features.measures.vocabulary import Vocabulary, written

# few letters, so that many terms begin with the same eight bytes; signs of one to four bytes, and the byte 0
terms = st.text(st.sampled_from("ab\0éß€𝄞"), max_size=12)


@given(st.sets(terms, max_size=40), st.lists(terms, max_size=20))
def test_every_term_has_the_number_of_its_place(known: set[str], asked: list[str]) -> None:
    ordered = sorted(known)
    numbers = {term: place for place, term in enumerate(ordered)}
    vocabulary = Vocabulary(written(ordered))
    assert vocabulary.numbers(ordered).tolist() == list(range(len(ordered)))
    assert vocabulary.numbers(asked).tolist() == [numbers.get(term, -1) for term in asked]
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


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.data())
def test_parts_of_rows_laid_end_to_end(sizes: list[int], data: st.DataObject) -> None:
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    rows = np.array(data.draw(st.lists(st.integers(0, len(sizes) - 1), max_size=6)), np.intp)
    ends, places = parts(starts, rows)
    found = [places[ends[n] : ends[n + 1]].tolist() for n in range(len(rows))]
    assert found == [list(range(starts[row], starts[row + 1])) for row in rows.tolist()]
