"""Tokens, lemmas, tags and named entities of English texts, by the compact models in `english/`."""

import hashlib
import logging
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple, Protocol

import msgspec

from features.text import tokenizer
from features.text.annotation import Analysis, Mention, Tokens, Word, WordReading
from features.text.caches import BoundedCache
from features.text.model_files import MANIFEST, MODELS, VECTORS
from features.text.standard import PACKAGE, Standard
from features.text.tokenizer import Span, tokenize
from ingest.errors import LanguageModelError

ENGLISH: Final = Path(__file__).parent / "english"
"""The models that come with Kindred."""

_FILES: Final = (VECTORS, *MODELS.values())
_KINDS: Final = {
    "PER": "person", "LOC": "location", "ORG": "organisation",
    "PERSON": "person", "GPE": "location", "FAC": "location",  # the labels of Stanza's own package
}  # fmt: skip
_TITLE: Final = re.compile(
    r"(?i:mr|mrs|miss|ms|messrs|dr|sir|lady|lord|king|queen|captain|capt|rev|revd|reverend|mlle|mme|madame)\.?"
)
_LONGEST_FORM: Final = 60
"""Characters of a word that the models read: English has no longer ones, and time grows with the length."""
_LONGEST_SENTENCE: Final = 2500
"""Characters of a sentence whose analysis is kept: twice what 250 tokens usually have."""
_CHUNK: Final = 2000
_REMEMBERED: Final = 64 << 20
"""Bytes of the sentences that are cached, some 15,000 of them."""
_REMEDY: Final = (
    "reinstall Kindred, or, in a checkout, train the models again: python -m training models"
    " --shared DIR --out DIR"
)


class FileFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the manifest says about one file."""

    sha256: str
    bytes: int


class LanguageManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What belongs to a set of models, and how well they did on texts they never saw."""

    package: str = "compact"
    stanza: str
    files: dict[str, FileFacts]
    accuracy: dict[str, float]


class _Models(Protocol):
    def read(self, sentences: Sequence[Tokens]) -> list[WordReading]: ...


class SentenceFacts(NamedTuple):
    """The analysis of one sentence by the places of its words: it serves wherever the sentence stands."""

    lemmas: tuple[str, ...]
    tags: tuple[str, ...]
    entities: tuple[tuple[int, int, str], ...]


_KNOWN: Final = (
    (
        "The old trees stood in the park.",
        ("DET", "ADJ", "NOUN", "VERB", "ADP", "DET", "NOUN", "PUNCT"),
        ("the", "old", "tree", "stand", "in", "the", "park", "."),
        (),
    ),
    (
        "Portrait of Mary Smith in London, given by the Carnegie Museum of Art",
        (),
        (),
        (("person", "Mary Smith"), ("location", "London"), ("organisation", "Carnegie Museum of Art")),
    ),
)
"""Texts with the tags, lemmas and entities that no usable models get wrong."""


def read_manifest(directory: Path) -> LanguageManifest:
    """Read the manifest of a folder of models."""
    path = directory / MANIFEST
    try:
        return msgspec.json.decode(path.read_bytes(), type=LanguageManifest)
    except FileNotFoundError:
        missing = f"no language models in {directory}: {path.name} is missing; {_REMEDY}"
        raise LanguageModelError(missing) from None
    except (OSError, msgspec.DecodeError) as error:
        raise LanguageModelError(f"{path} cannot be read: {error}; {_REMEDY}") from error


def fingerprint(directory: Path = ENGLISH) -> str:
    """Give what changes whenever an analysis could: the models' checksums and the tokenizer's version."""
    manifest = read_manifest(directory)
    facts = sorted((name, file.sha256) for name, file in manifest.files.items())
    return hashlib.sha256(repr((manifest.stanza, facts, tokenizer.VERSION)).encode()).hexdigest()


class Language:
    """The loaded models; analyses many texts at once, and every distinct sentence once."""

    def __init__(self, directory: Path = ENGLISH, *, threads: int = 1, remember: int = _REMEMBERED) -> None:
        """Load and check the models (seconds); `remember` bounds the bytes of cached sentences."""
        self.fingerprint: Final = fingerprint(directory)
        self.directory: Final = directory
        self._cache: BoundedCache[Tokens, SentenceFacts] = BoundedCache(f"{__name__}.sentences", remember)
        self._lock = Lock()
        _check_files(directory)
        with _quiet():
            self._networks: Final = _load(directory, threads)
        self._check_answers()

    def analyse(self, texts: Sequence[str]) -> list[Analysis]:
        """Analyse texts; many at once are much faster than one after the other."""
        split = [tokenize(text) for text in texts]
        forms = [
            [tuple(text[s.start : s.end] for s in sentence) for sentence in sentences]
            for text, sentences in zip(texts, split, strict=True)
        ]
        facts = self.analyse_sentences({sentence: None for sentences in forms for sentence in sentences})
        return [
            _analysis(text, zip(sentences, (facts[key] for key in keys), strict=True))
            for text, sentences, keys in zip(texts, split, forms, strict=True)
        ]

    def analyse_sentences(self, wanted: Iterable[Tokens]) -> dict[Tokens, SentenceFacts]:
        """Analyse sentences that are split into tokens already, each distinct one once."""
        with self._lock:
            distinct = dict.fromkeys(wanted)
            facts = self._cache.known(distinct)
            missing = [key for key in distinct if key not in facts]
            for begin in range(0, len(missing), _CHUNK):
                part = missing[begin : begin + _CHUNK]
                facts.update(zip(part, self._run(part), strict=True))
            for key in missing:
                if sum(map(len, key)) <= _LONGEST_SENTENCE:
                    self._cache.put(key, facts[key])
            return facts

    def _run(self, sentences: list[Tokens]) -> list[SentenceFacts]:
        with _quiet():
            readings = self._networks.read([tuple(w[:_LONGEST_FORM] for w in forms) for forms in sentences])
        facts = []
        for forms, (lemmas, tags, labels) in zip(sentences, readings, strict=True):
            pairs = zip(forms, lemmas, strict=True)
            whole = tuple(form if len(form) > _LONGEST_FORM else lemma for form, lemma in pairs)
            facts.append(SentenceFacts(whole, tags, tuple(_entities(forms, labels))))
        return facts

    def _check_answers(self) -> None:
        """Refuse models that load but answer nonsense, as with vectors that they were not trained on."""
        for text, tags, lemmas, entities in _KNOWN:
            (answer,) = self.analyse([text])
            given = (
                tuple(w.tag for w in answer.words) if tags else (),
                tuple(w.lemma for w in answer.words) if lemmas else (),
                tuple((m.kind, m.text) for m in answer.mentions),
            )
            if given != (tags, lemmas, entities):
                raise LanguageModelError(
                    f"the models in {self.directory} answer {given} to {text!r};"
                    f" expected {(tags, lemmas, entities)}; {_REMEDY}"
                )


def _check_files(directory: Path) -> None:
    manifest = read_manifest(directory)
    for name in manifest.files if manifest.package == PACKAGE else _FILES:
        facts = manifest.files.get(name)
        path = directory / name
        if facts is None or not path.is_file():
            raise LanguageModelError(f"the language model {path} is missing; {_REMEDY}")
        if hashlib.sha256(path.read_bytes()).hexdigest() != facts.sha256:
            raise LanguageModelError(f"the language model {path} is damaged (wrong sha256); {_REMEDY}")


def _load(directory: Path, threads: int) -> _Models:
    standard = read_manifest(directory).package == PACKAGE
    try:
        # whoever only reads a manifest loads no torch
        from features.text.networks import Networks

        return Standard(directory, threads) if standard else Networks(directory, threads)
    except Exception as error:
        raise LanguageModelError(f"the models in {directory} do not load: {error!r}; {_REMEDY}") from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Stanza and torch from logging and from warning of their own affairs."""
    logger = logging.getLogger("stanza")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            for module in (r"torch(\..*)?", r"stanza(\..*)?", r"google\.protobuf(\..*)?"):
                warnings.filterwarnings("ignore", module=module)
            yield
    finally:
        logger.setLevel(level)


def _entities(forms: Tokens, labels: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    begin = -1
    for place, label in enumerate(labels):
        mark, _, kind = label.partition("-")
        if mark in "BS":
            begin = place
        if mark in "ES" and begin >= 0 and kind in _KINDS:
            first = _without_titles(forms, begin, place) if _KINDS[kind] == "person" else begin
            if first <= place:
                yield first, place + 1, _KINDS[kind]
            begin = -1


def _without_titles(forms: Tokens, first: int, last: int) -> int:
    """Give where a name begins behind 'Mrs.' or 'Lady'; a title alone is no name, but 'Dr. King' is."""
    begin = first
    while begin <= last and _TITLE.fullmatch(forms[begin]) and (begin < last or begin == first):
        begin += 1
    return begin


def _analysis(text: str, sentences: Iterable[tuple[list[Span], SentenceFacts]]) -> Analysis:
    words: list[Word] = []
    mentions: list[Mention] = []
    for spans, facts in sentences:
        read = zip(spans, facts.lemmas, facts.tags, strict=True)
        words += [Word(start, end, text[start:end], lemma, tag) for (start, end), lemma, tag in read]
        for first, beyond, kind in facts.entities:
            start, end = spans[first].start, spans[beyond - 1].end
            mentions.append(Mention(start, end, kind, text[start:end]))
    return Analysis(tuple(words), tuple(mentions))
