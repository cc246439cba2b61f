"""The direct way through the networks gives what Stanza's own pipeline gives."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.text.language import ENGLISH
from features.text.networks import Networks, best_paths
from features.text.tokenizer import tokenize

TEXT = """Portrait of Mrs. James H. Beal in the Harris Studio. Two women walking dogs near Forbes Field.
The Rialto, Venice, from the series Venice up to Trento Sketchbook. Accepted as part of the Turner Bequest.
Members of the ELLIOT family. He hadn't bought what they were selling; it wasn't Österreich's zyxomorph."""


@pytest.fixture(scope="module")
def networks() -> Networks:
    return Networks(ENGLISH, threads=1)


def test_answers_are_those_of_stanzas_pipeline(networks: Networks) -> None:
    sentences = [tuple(TEXT[start:end] for start, end in sentence) for sentence in tokenize(TEXT)]
    document = networks.pipeline([list(forms) for forms in sentences])
    expected = [
        (
            tuple(word.lemma for word in sentence.words),
            tuple(word.upos for word in sentence.words),
            tuple(token.ner for token in sentence.tokens),
        )
        for sentence in document.sentences
    ]
    assert [tuple(reading) for reading in networks.read(sentences)] == expected
    assert networks.read([]) == []


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(0, 2**32 - 1))
def test_the_best_path_is_the_best_of_all(lengths: list[int], seed: int) -> None:
    lengths = sorted(lengths, reverse=True)
    chance = np.random.default_rng(seed)
    scores = chance.normal(size=(len(lengths), lengths[0], 3)).astype(np.float32)
    transitions = chance.normal(size=(3, 3)).astype(np.float32)

    def worth(row: int, path: tuple[int, ...]) -> float:
        steps = sum(float(transitions[a, b]) for a, b in pairwise(path))
        return steps + sum(float(scores[row, place, label]) for place, label in enumerate(path))

    for row, (length, path) in enumerate(zip(lengths, best_paths(scores, lengths, transitions), strict=True)):
        every = np.ndindex(*[3] * length)
        assert worth(row, tuple(path)) == pytest.approx(max(worth(row, each) for each in every), abs=1e-4)
