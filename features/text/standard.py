"""Stanza's own English package, for those who have a network once: larger, slower, more exact on prose.

``kindred models download`` fetches it; from then on it is read offline, over the same tokens.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from features.text.annotation import Tokens, WordReading
from features.text.model_files import MANIFEST
from ingest.errors import LanguageModelError
from ingest.storage.files import write_whole

PACKAGE: Final = "default"
_PROCESSORS: Final = "tokenize,pos,lemma,ner"


def download(directory: Path) -> None:
    """Fetch the package into ``directory``; raises ``LanguageModelError`` where it cannot be had."""
    import stanza

    try:
        stanza.download("en", model_dir=str(directory), processors=_PROCESSORS, verbose=False)
    # whatever a network can do wrong comes as the exception of some library below Stanza
    except Exception as error:
        raise LanguageModelError(
            f"Stanza's English package cannot be fetched: {error}; try again where there is a network,"
            " or use the models that come with Kindred (language.package: compact)"
        ) from error
    facts = {}
    for path in sorted(directory.rglob("*")):
        if path.suffix in (".pt", ".json") and path.is_file() and path.name != MANIFEST:
            digest, size = hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_size
            facts[str(path.relative_to(directory))] = {"sha256": digest, "bytes": size}
    manifest = {"package": PACKAGE, "stanza": stanza.__version__, "files": facts, "accuracy": {}}
    write_whole(directory / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=2))


class Standard:
    """The loaded package; reads sentences like ``features.text.networks.Networks``."""

    def __init__(self, directory: Path, threads: int) -> None:
        """Load it; ``threads`` is torch's number for the whole process."""
        import torch
        from stanza import Pipeline

        torch.set_num_threads(threads)
        self._pipeline: Any = Pipeline(
            "en",
            dir=str(directory),
            processors=_PROCESSORS,
            download_method=None,
            tokenize_pretokenized=True,
            use_gpu=False,
            verbose=False,
        )

    def read(self, sentences: Sequence[Tokens]) -> list[WordReading]:
        """Read sentences, none of them empty."""
        document = self._pipeline([list(forms) for forms in sentences])
        readings = []
        for sentence in document.sentences:
            words = [(word.text, word.lemma or word.text, word.upos) for word in sentence.words]
            forms, lemmas, tags = zip(*words, strict=True)
            labels = without_articles(forms, [token.ner for token in sentence.tokens])
            readings.append(WordReading(lemmas, tags, labels))
        return readings


def without_articles(forms: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """Entity labels (BIOES) in which no entity begins with an article, as the compact models have it.

    >>> without_articles(["the", "Royal", "Navy"], ["B-ORG", "I-ORG", "E-ORG"])
    ('O', 'B-ORG', 'E-ORG')
    """
    changed = list(labels)
    for place, form in enumerate(forms[:-1]):
        if changed[place].startswith("B-") and form.lower() in ("the", "a", "an"):
            mark, _, kind = changed[place + 1].partition("-")
            changed[place : place + 2] = ["O", f"{'S' if mark == 'E' else 'B'}-{kind}"]
    return tuple(changed)
