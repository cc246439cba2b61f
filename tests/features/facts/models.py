"""Models of facts made by hand: a category is a few numbers, by the names of what they are of."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from features.arrays import Halves
from features.facts.model import FactsManifest, FactsModel, FactsWeights, open_facts, save
from features.measures.fact_signals import sign_names
from features.text.sentences import fingerprint

Slopes = Mapping[str, float]
"""The numbers of a category: of words as ``t:king``, of signs as ``kinds, any``, of the first numbers of a
vector as ``content 0`` and ``every 1``; ``base`` is its intercept."""


def facts_model(categories: Mapping[str, Slopes], **changed: object) -> FactsModel:
    """A model of these categories; ``changed`` are keys of its manifest that are otherwise."""
    manifest = {
        "encoder": fingerprint("compact"),
        "categories": tuple(categories),
        "signs": sign_names(),
        "frequencies": (0.5,) * len(categories),
        "records": 3,
        "auc": {"people": 0.9},
    }
    words = tuple(sorted({name for own in categories.values() for name in own if ":" in name}))
    sizes = (768, len(sign_names()), len(words), 1)
    weights = FactsWeights(*(np.zeros((size, len(categories)), np.float16) for size in sizes))
    for column, own in enumerate(categories.values()):
        for name, number in own.items():
            array, row = _place(weights, words, name)
            array[row, column] = number
    return FactsModel(FactsManifest.model_validate(manifest | changed), words, weights)


def saved(folder: Path, categories: Mapping[str, Slopes], **changed: object) -> FactsModel:
    """The same, written to a folder and opened there: it has a name."""
    save(folder, facts_model(categories, **changed))
    return open_facts(folder)


def _place(weights: FactsWeights, words: tuple[str, ...], name: str) -> tuple[Halves, int]:
    """The array that has a number of a category, and its row there."""
    text, _, number = name.partition(" ")
    if text in ("content", "every"):
        return weights.vectors, int(number) + (0 if text == "content" else 384)
    if name == "base":
        return weights.intercepts, 0
    return (weights.terms, words.index(name)) if name in words else (weights.signs, sign_names().index(name))
