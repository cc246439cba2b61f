"""Models of facts and words of records made by hand: a category is a few numbers, by what they are of."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from features.facts.about import AboutManifest, AboutModel, AboutWeights
from features.facts.model import FactsManifest, FactsModel, open_facts, save
from features.facts.network import FactsWeights
from features.facts.words import TAGS, FactWords
from features.text.piece_sums import fingerprint

Slopes = Mapping[str, float]
"""The numbers of a category: ``t:king`` where the lemma stands in title or subject, ``d:king`` where it
stands anywhere; ``base`` is the intercept."""


def facts_model(categories: Mapping[str, Slopes], **changed: object) -> FactsModel:
    """A model of these categories; ``changed`` are keys of its manifest that are otherwise.

    Each word that it knows lights a channel of its own, with relu(1) = 1; the layers add nothing. All numbers
    are rounded to 16 bits.
    """
    words = tuple(sorted({name[2:] for own in categories.values() for name in own if ":" in name}))
    channels = max(1, len(words))
    manifest = {
        "encoder": fingerprint(),
        "categories": tuple(categories),
        "networks": 1,
        "channels": channels,
        "frequencies": (0.5,) * len(categories),
        "records": 3,
        "auc": {"people": 0.9},
    }
    shapes = FactsWeights.shapes(len(words), len(categories), channels)
    weights = FactsWeights(**{name: np.zeros(shape, np.float16) for name, shape in shapes.items()})
    np.fill_diagonal(weights.words, 1)
    for column, own in enumerate(categories.values()):
        for name, number in own.items():
            scope, _, word = name.partition(":")
            if word:
                pool = {"d": 0, "t": 2}[scope]
                weights.answers[pool * channels + words.index(word), column] = number
            else:
                weights.intercepts[0, column] = number
    return FactsModel(FactsManifest.model_validate(manifest | changed), words, (weights,))


def about_model(**tags: float) -> AboutModel:
    """A model of what records are about, the mean of the vectors of their words.

    A word counts e to the power of the number that is given for its part of speech, once where none is.
    """
    weights = AboutWeights(
        **{name: np.zeros(shape, np.float16) for name, shape in AboutWeights.shapes(1).items()}
    )
    np.fill_diagonal(weights.projection, 1)
    weights.salience[0, 0] = 1
    for tag, number in tags.items():
        weights.tags[TAGS.index(tag), 0] = number
    return AboutModel(AboutManifest(encoder=fingerprint(), channels=1, records=3), weights)


def saved(folder: Path, categories: Mapping[str, Slopes], **changed: object) -> FactsModel:
    """The same, written to a folder and opened there: it has a name."""
    save(folder, facts_model(categories, **changed))
    return open_facts(folder)


class OneWord(NamedTuple):
    """A word of a record as the network is told of it."""

    form: str
    lemma: str
    joined: bool
    title: bool
    field: int = 0
    tag: int = 0
    kinds: int = 0
    marks: int = 0
    file: int = 0


def a_value(text: str, *, title: bool = True) -> list[OneWord]:
    """A value of title or of another field, whose words are dictionary forms."""
    return [OneWord(word, word, place > 0, title) for place, word in enumerate(text.split())]


def fact_words(*records: Sequence[OneWord]) -> FactWords:
    """The words of some records."""
    words = [word for record in records for word in record]
    numbers: dict[str, int] = {}

    def longs(values: Iterable[int]) -> "np.ndarray[tuple[int, ...], np.dtype[np.int64]]":
        return np.array(list(values), np.int64)

    forms = longs(numbers.setdefault(word.form, len(numbers)) for word in words)
    lemmas = longs(numbers.setdefault(word.lemma, len(numbers)) for word in words)
    return FactWords(
        terms=tuple(numbers),
        starts=np.cumsum([0, *map(len, records)]),
        forms=forms,
        lemmas=lemmas,
        fields=longs(word.field for word in words),
        tags=longs(word.tag for word in words),
        kinds=longs(word.kinds for word in words),
        marks=longs(word.marks for word in words),
        files=longs(word.file for word in words),
        joined=np.array([word.joined for word in words], np.bool_),
        titles=np.array([word.title for word in words], np.bool_),
        rows=np.arange(len(words)),
    )


def random_words(numbers: np.random.Generator, known: Sequence[str], most: int = 12) -> list[OneWord]:
    """The words of a random record, perhaps none: known and unknown ones, whatever they are."""
    pool = (*known, "venice", "boats", "!", "of")

    def one(place: int) -> OneWord:
        form, lemma = numbers.choice(pool, 2).tolist()
        joined, title = (numbers.random(2) < (0.7, 0.4)).tolist()
        field, tag, kinds, marks, file = numbers.integers(0, (6, 17, 16, 4, 46)).tolist()
        return OneWord(form, lemma, joined and place > 0, title, field, tag, kinds, marks, file)

    return [one(place) for place in range(numbers.integers(0, most + 1))]


def random_weights(numbers: np.random.Generator, known: int, categories: int, channels: int) -> FactsWeights:
    """Numbers of a network, none of them 0."""
    shapes = FactsWeights.shapes(known, categories, channels)
    return FactsWeights(
        **{name: numbers.normal(0, 0.3, shape).astype(np.float16) for name, shape in shapes.items()}
    )
