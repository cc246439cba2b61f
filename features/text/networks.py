"""Runs Stanza's trained networks over sentences, several times faster than its pipeline, with its answers.

What a network knows of a word before it looks at the sentence is computed once a word. Sentences of alike
lengths share a batch, labels are decoded for a batch at once, a lemma is made once for a word and tag.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Final, cast
from unittest.mock import patch

import numpy as np
import torch
from torch.nn.utils.rnn import PackedSequence, pack_sequence, pad_packed_sequence, pad_sequence

from features.arrays import Singles
from features.text.annotation import Tokens, WordReading
from features.text.model_files import MODELS, VECTORS

_BATCH: Final = 64
_MOST_WORDS: Final = 30_000
_MOST_LEMMAS: Final = 200_000
_Untyped = Any  # Stanza declares no types


class Networks:
    """The loaded tagger, lemmatizer and entity tagger of one folder."""

    def __init__(self, directory: Path, threads: int) -> None:
        """Load them; `threads` is torch's number for the whole process."""
        torch.set_num_threads(threads)
        self.pipeline: Final = _pipeline(directory)
        processors = self.pipeline.processors
        self._tagger: Final = processors["pos"].trainer.model.eval()
        self._entities: Final = processors["ner"].trainer.model.eval()
        self._transitions: Final = self._entities.crits[0]._transitions.detach().numpy()
        self._pretrained: Final = self._entities.vocab["word"]
        self._tag_words: Final = _Table(self._tagger_inputs)
        self._entity_words: Final = _Table(self._entity_inputs)
        self._lemmas: dict[tuple[str, str], str] = {}

    def read(self, sentences: Sequence[Tokens]) -> list[WordReading]:
        """Read sentences, none of them empty."""
        order = sorted(range(len(sentences)), key=lambda place: -len(sentences[place]))
        readings: dict[int, WordReading] = {}
        with torch.no_grad():
            words = list(dict.fromkeys(word for forms in sentences for word in forms))
            self._tag_words.learn(words)
            self._entity_words.learn(words)
            for start in range(0, len(order), _BATCH):
                places = order[start : start + _BATCH]
                batch = [sentences[place] for place in places]
                tags = self._tags(batch)
                read = map(WordReading, self._lemmatise(batch, tags), tags, self._labels(batch))
                readings.update(zip(places, read, strict=True))
        return [readings[place] for place in range(len(sentences))]

    def _tags(self, batch: list[Tokens]) -> list[tuple[str, ...]]:
        model, vocab = self._tagger, self._tagger.vocab["upos"]
        hidden = _hidden(model, self._tag_words.pack(batch), len(batch))
        best = model.upos_clf(torch.relu(model.upos_hid(hidden.data))).argmax(1)
        padded, lengths = pad_packed_sequence(PackedSequence(best, hidden.batch_sizes), batch_first=True)
        rows = zip(padded.tolist(), lengths.tolist(), strict=True)
        return [tuple(vocab.unmap(row[:length])) for row, length in rows]

    def _labels(self, batch: list[Tokens]) -> list[tuple[str, ...]]:
        from stanza.models.common.vocab import VOCAB_PREFIX_SIZE
        from stanza.models.ner.trainer import fix_singleton_tags

        model = self._entities
        hidden = _hidden(model, self._entity_words.pack(batch), len(batch))
        packed = PackedSequence(model.tag_clfs[0](hidden.data), hidden.batch_sizes)
        scores, _ = pad_packed_sequence(packed, batch_first=True)
        paths = best_paths(scores.numpy(), [len(forms) for forms in batch], self._transitions)
        vocab = model.vocab["tag"]
        labels = (vocab.unmap([(max(tag, VOCAB_PREFIX_SIZE),) for tag in path]) for path in paths)
        return [tuple(fix_singleton_tags([label for label, *_ in row])) for row in labels]

    def _lemmatise(self, batch: list[Tokens], tags: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
        from stanza.models.common.doc import LEMMA, Document

        if len(self._lemmas) > _MOST_LEMMAS:
            self._lemmas.clear()
        pairs = [list(zip(forms, each, strict=True)) for forms, each in zip(batch, tags, strict=True)]
        new = [pair for pair in dict.fromkeys(p for each in pairs for p in each) if pair not in self._lemmas]
        if new:
            rows = [{"id": place, "text": form, "upos": tag} for place, (form, tag) in enumerate(new, 1)]
            lemmas = self.pipeline.processors["lemma"].process(Document([rows])).get(LEMMA)
            self._lemmas.update((pair, lemma or pair[0]) for pair, lemma in zip(new, lemmas, strict=True))
        return [tuple(self._lemmas[pair] for pair in each) for each in pairs]

    def _tagger_inputs(self, words: list[str]) -> _Untyped:
        model = self._tagger
        own = torch.tensor(model.vocab["word"].map(words))
        shared = torch.tensor(self._pretrained.map([word.lower() for word in words]))
        vectors = model.trans_pretrained(model.pretrained_emb(shared))
        characters = model.trans_char(_characters(model.charmodel, model.vocab["char"], words))
        return torch.cat([model.word_emb(own), vectors, characters], 1)

    def _entity_inputs(self, words: list[str]) -> _Untyped:
        model = self._entities
        small = [word.lower() for word in words]
        shared, delta = model.vocab["word"].map(small), model.vocab["delta"].map(small)
        # a word known to the vectors only has no correction; one known to neither has that of unknown words
        delta = [0 if d == 1 and s != 1 else d for s, d in zip(shared, delta, strict=True)]
        vectors = model.word_emb(torch.tensor(shared)) + model.delta_emb(torch.tensor(delta))
        characters = _characters(model.charmodel, model.vocab["char"], words)
        return model.input_transform(torch.cat([vectors, characters], 1))


class _Table:
    """The inputs of words, computed once each; forgotten all at once when there are too many."""

    def __init__(self, compute: Callable[[list[str]], _Untyped]) -> None:
        self._compute = compute
        self._rows: dict[str, int] = {}
        self._inputs: _Untyped = None

    def pack(self, batch: list[Tokens]) -> _Untyped:
        """Give the words' inputs as torch packs them; the longest sentence comes first."""
        packed = pack_sequence([torch.tensor([self._rows[word] for word in forms]) for forms in batch])
        return PackedSequence(self._inputs[packed.data], packed.batch_sizes)

    def learn(self, words: list[str]) -> None:
        """Compute the inputs of the words that are not known yet."""
        if len(self._rows) > _MOST_WORDS:
            self._rows.clear()
            self._inputs = None
        new = [word for word in words if word not in self._rows]
        if new:
            inputs = self._compute(new)
            begin = len(self._rows)
            self._rows.update((word, begin + place) for place, word in enumerate(new))
            self._inputs = inputs if self._inputs is None else torch.cat([self._inputs, inputs])


def best_paths(scores: Singles, lengths: Sequence[int], transitions: Singles) -> list[list[int]]:
    """Give the best sequence of labels of every sentence (Viterbi); the longest sentence comes first."""
    best = scores[:, 0].copy()
    back = np.zeros(scores.shape, dtype=np.int64)
    for step in range(1, scores.shape[1]):
        open_ones = sum(length > step for length in lengths)
        ways = best[:open_ones, :, None] + transitions
        back[:open_ones, step] = ways.argmax(1)
        best[:open_ones] = scores[:open_ones, step] + ways.max(1)
    paths = []
    for row, length in enumerate(lengths):
        path = [int(best[row].argmax())]
        for step in range(length - 1, 0, -1):
            path.append(int(back[row, step, path[-1]]))
        paths.append(path[::-1])
    return paths


def _characters(model: _Untyped, vocab: _Untyped, words: list[str]) -> _Untyped:
    """Read words letter by letter, as Stanza's character model does with its words sorted by length."""
    order = sorted(range(len(words)), key=lambda place: -len(words[place]))
    letters = [torch.tensor(vocab.map(list(words[place]))) for place in order]
    lengths = [len(each) for each in letters]
    padded = pad_sequence(letters, batch_first=True)
    # one sentence of all the words; `order` brings them back to their places
    return model(padded, padded.eq(0), order, [len(words)], lengths).data


def _hidden(model: _Untyped, packed: _Untyped, sentences: int) -> _Untyped:
    """The states of a network's LSTM over packed sentences, from the first states that it learnt."""
    first = (model.taggerlstm_h_init, model.taggerlstm_c_init)
    hx = tuple(state.expand(-1, sentences, -1).contiguous() for state in first)
    return model.taggerlstm(packed, None, hx=hx)[0]


def _pipeline(directory: Path) -> _Untyped:
    with _without_transformers():
        from stanza import Pipeline
    from stanza.models.common import utils
    from stanza.models.common.foundation_cache import FoundationCache
    from stanza.models.common.pretrain import Pretrain

    vectors = str(directory / VECTORS)
    pretrain = Pretrain(vectors, save_to_file=False)
    pretrain._emb = pretrain.emb.float()
    cache = FoundationCache(local_files_only=True)
    cache.pretrains[vectors] = pretrain
    # a network that is only read needs no optimizer, and to make one torch imports its compiler, for a second
    with patch.multiple(utils, get_optimizer=_no_optimizer, get_split_optimizer=_no_optimizer):
        return _loaded(Pipeline, directory, vectors, cache)


@contextmanager
def _without_transformers() -> Iterator[None]:
    """Stanza imports transformers where they are installed, for two seconds; no model here is one of them."""
    absent = "transformers" not in sys.modules
    if absent:
        sys.modules["transformers"] = cast("ModuleType", None)
    try:
        yield
    finally:
        if absent:
            del sys.modules["transformers"]


def _no_optimizer(*_: object, **__: object) -> None:
    return None


def _loaded(pipeline: _Untyped, directory: Path, vectors: str, cache: _Untyped) -> _Untyped:
    return pipeline(
        "en",
        dir=str(directory),
        package=None,
        processors={"tokenize": "local", **dict.fromkeys(MODELS, "local")},
        resources_filepath=str(directory / "resources.json"),
        download_method=None,
        allow_unknown_language=True,
        foundation_cache=cache,
        use_gpu=False,
        tokenize_pretokenized=True,
        **{f"{part}_model_path": str(directory / name) for part, name in MODELS.items()},
        pos_pretrain_path=vectors,
        ner_pretrain_path=vectors,
        lemma_pretagged=True,
        lemma_batch_size=1000,
    )
