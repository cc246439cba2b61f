"""Stanza's own package: what can be shown of it without a network."""

from pathlib import Path

import pytest

from features.text import standard
from features.text.language import Language
from features.text.standard import without_articles
from ingest.errors import LanguageModelError
from service.sections import LanguageSettings, StateSettings
from service.settings import Settings, load


def settings(folder: Path) -> Settings:
    sections = {"state": StateSettings(directory=folder), "language": LanguageSettings(package="default")}
    return load().model_copy(update=sections)


def test_a_package_that_was_not_fetched_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(LanguageModelError, match="kindred models download"):
        _ = settings(tmp_path).models


def test_a_fetch_that_fails_is_one_sentence_and_leaves_nothing_that_looks_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise ConnectionError("no route to host")

    monkeypatch.setattr("stanza.download", refused)
    with pytest.raises(LanguageModelError, match="cannot be fetched: no route to host"):
        standard.download(tmp_path)
    assert not (tmp_path / "manifest.json").exists()


def test_a_fetched_file_that_was_altered_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(*_: object, model_dir: str, **__: object) -> None:
        Path(model_dir, "tagger.pt").write_bytes(b"whole")

    monkeypatch.setattr("stanza.download", fetch)
    standard.download(tmp_path)
    (tmp_path / "tagger.pt").write_bytes(b"cut")
    with pytest.raises(LanguageModelError, match="damaged"):
        Language(tmp_path)


@pytest.mark.parametrize(
    ("forms", "labels", "expected"),
    [
        # one word is left: it becomes a single
        (["The", "Thames"], ["B-LOC", "E-LOC"], ("O", "S-LOC")),
        (["the", "Royal", "Navy"], ["B-ORG", "I-ORG", "E-ORG"], ("O", "B-ORG", "E-ORG")),
        (["Mary", "Smith"], ["B-PERSON", "E-PERSON"], ("B-PERSON", "E-PERSON")),
        (["the"], ["O"], ("O",)),
    ],
)
def test_articles_do_not_begin_entities(
    forms: list[str], labels: list[str], expected: tuple[str, ...]
) -> None:
    assert without_articles(forms, labels) == expected
