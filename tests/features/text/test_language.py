"""The language models as the rest of Kindred uses them: what they find, what they refuse."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from features.text.annotation import Analysis
from features.text.language import ENGLISH, Language, fingerprint, read_manifest
from ingest.errors import LanguageModelError

TEXTS = (
    "Portrait of Mary Smith, in Harris Studio",
    "The Rialto, Venice. Gift of the Carnegie Museum of Art",
    "",
    "Two women walking dogs",
)


@pytest.fixture(scope="module")
def language() -> Language:
    return Language(remember=3000)  # few bytes: some sentences are cached, some no longer


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ENGLISH, tmp_path / "models"))


def mentions(analysis: Analysis) -> list[tuple[str, str]]:
    return [(mention.kind, mention.text) for mention in analysis.mentions]


def test_words_and_mentions_stand_where_they_say(language: Language) -> None:
    for text, analysis in zip(TEXTS, language.analyse(TEXTS), strict=True):
        assert all(text[word.start : word.end] == word.form for word in analysis.words)
        assert all(text[each.start : each.end] == each.text for each in analysis.mentions)
        assert "".join(word.form for word in analysis.words) == text.replace(" ", "")


def test_finds_people_places_and_bodies(language: Language) -> None:
    first, second, nothing, none = map(mentions, language.analyse(TEXTS))
    assert ("person", "Mary Smith") in first
    assert ("location", "Venice") in second
    assert ("organisation", "Carnegie Museum of Art") in second
    assert nothing == none == []


def test_gives_lemmas_and_tags(language: Language) -> None:
    words = language.analyse(["Two women walking dogs"])[0].words
    assert [word.lemma for word in words] == ["two", "woman", "walk", "dog"]
    assert [word.tag for word in words] == ["NUM", "NOUN", "VERB", "NOUN"]


def test_one_text_is_analysed_alike_alone_and_among_others(language: Language) -> None:
    together = language.analyse(TEXTS)
    assert [language.analyse([text])[0] for text in TEXTS] == together
    assert language.analyse([]) == []


def test_bears_what_no_language_has(language: Language) -> None:
    odd = ["x" * 5000, "\x00 \ud7ff \u200b", "a " * 3000, "🖼️ über Ærø!"]
    lengths = [len(analysis.words) for analysis in language.analyse(odd)]
    assert lengths[0] == 1
    assert lengths[2] == 3000


def _no_vectors(models: Path) -> None:
    (models / "vectors.pt").unlink()


def _no_manifest(models: Path) -> None:
    (models / "manifest.json").unlink()


def _broken_manifest(models: Path) -> None:
    (models / "manifest.json").write_text("{")


def _damaged(models: Path) -> None:
    path = models / "entities.pt"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        (_no_vectors, "vectors.pt is missing"),
        (_no_manifest, "manifest.json is missing"),
        (_broken_manifest, "manifest.json cannot be read"),
        (_damaged, "entities.pt is damaged"),
        (shutil.rmtree, "no language models in"),
    ],
)
def test_refuses_models_that_are_missing_or_damaged(
    copied: Path, damage: Callable[[Path], None], name: str
) -> None:
    damage(copied)
    with pytest.raises(LanguageModelError, match=name):
        Language(copied)


def test_refuses_vectors_that_are_not_the_models_own(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    real = torch.load

    def scrambled(file: object, *args: object, **kwargs: object) -> object:
        data = real(file, *args, **kwargs)  # type: ignore[arg-type]
        if isinstance(data, dict) and "emb" in data:
            data["emb"] = data["emb"].flip(0)
        return data

    monkeypatch.setattr(torch, "load", scrambled)
    with pytest.raises(LanguageModelError, match="answer"):
        Language(copied)


def test_a_torch_that_does_not_load_is_an_error_of_ours(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "features.text.networks", raising=False)
    with pytest.raises(LanguageModelError, match="do not load"):
        Language(copied)


def test_the_fingerprint_names_the_models(language: Language, copied: Path) -> None:
    assert language.fingerprint == fingerprint() == fingerprint(copied)
    manifest = copied / "manifest.json"
    digest = read_manifest(copied).files["tagger.pt"].sha256
    manifest.write_text(manifest.read_text().replace(digest, "0" * 64))
    assert fingerprint(copied) != language.fingerprint


def test_the_models_that_come_with_kindred_keep_their_promises() -> None:
    manifest = read_manifest(ENGLISH)
    accuracy = manifest.accuracy
    assert accuracy["upos_gum_test"] >= 0.95
    assert accuracy["lemmas_gum_test"] >= 0.98
    assert accuracy["entities_f1_uner_ewt_test"] >= 0.74
    assert accuracy["entities_f1_museum_test"] >= 0.80
    assert sum(file.bytes for file in manifest.files.values()) <= 25_000_000
