"""The words of records that models of facts learn from, with the vectors of their terms."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from msgspec.structs import replace
from torch import Tensor

from features.arrays import Longs
from features.facts.words import SIGNS, FactWords, FactWordsReader
from features.knowledge.wordnet.reader import WordNet
from features.profiles.analysis import AnalysisSettings, Models, analyse_pending, fingerprint
from features.profiles.blocks import SIZE, Block
from features.profiles.profile import decode
from features.text.piece_sums import open_model
from ingest.catalogue import Catalogue
from ingest.record import Record


class StudentTexts(NamedTuple):
    """The words of all records, and the vector of each of their terms, float32[terms, 384]."""

    words: FactWords
    vectors: Tensor

    @classmethod
    def of(cls, blocks: Sequence[FactWords]) -> "StudentTexts":
        """The words of the blocks, one after the other, as if they were of one."""
        numbers: dict[str, int] = {}
        forms, lemmas, starts, first = list[Longs](), list[Longs](), [np.zeros(1, np.int64)], 0
        for block in blocks:
            own = np.array([numbers.setdefault(term, len(numbers)) for term in block.terms], np.int64)
            forms.append(own[block.forms])
            lemmas.append(own[block.lemmas])
            starts.append(block.starts[1:] + first)
            first += len(block.rows)
        rest = {
            name: np.concatenate([getattr(block, name) for block in blocks])
            for name in (*SIGNS, "joined", "titles", "rows")
        }
        words = FactWords(
            tuple(numbers),
            starts=np.concatenate(starts),
            forms=np.concatenate(forms),
            lemmas=np.concatenate(lemmas),
            **rest,
        )
        return cls(words, torch.from_numpy(open_model().encode(words.terms)))


def texts_of(
    records: Sequence[Record], catalogue: Path, wordnet: WordNet, analysis: AnalysisSettings
) -> StudentTexts:
    """The words of records in their order; their profiles stay in the file of a ``catalogue``."""
    # some have one id
    numbered = [replace(record, id=str(place)) for place, record in enumerate(records)]
    models = Models()
    with Catalogue(catalogue) as stored:
        stored.put_many(numbered)
        analyse_pending(stored, models, analysis, lambda _: None)
        profiles = dict(stored.profiles(fingerprint(models)))
    reader = FactWordsReader(wordnet)
    return StudentTexts.of(
        [
            reader.words(Block([decode(profiles[record.id]) for record in numbered[at : at + SIZE]]))
            for at in range(0, len(numbered), SIZE)
        ]
    )
