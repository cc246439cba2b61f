"""A language that needs no models: it splits words and takes a few spellings for what they are."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import yaml

from evaluation import scoring
from features.profiles import profile as profiles
from features.profiles.analysis import AnalysisSettings, Models, analyse
from features.text.annotation import Analysis, Mention, Word
from features.text.language import Language
from ingest.catalogue import Catalogue
from service.configuration import shipped_files
from tests.evaluation.running import CONFIG
from tests.yaml_text import yaml_of

MARK = "stub"


class Spelling(Language):
    """Tags words by their endings; some words are entities."""

    def __init__(self) -> None:
        pass

    def analyse(self, texts: Sequence[str]) -> list[Analysis]:
        return [Analysis(tuple(_words(text)), tuple(_mentions(text))) for text in texts]


def _words(text: str) -> Iterator[Word]:
    for match in re.finditer(r"\w+", text):
        form = match[0]
        yield Word(match.start(), match.end(), form, form.lower(), "VERB" if form.endswith("ing") else "NOUN")


def _mentions(text: str) -> Iterator[Mention]:
    kinds = {"Samuel Reed": "person", "Harrow": "location", "Copley": "location", "Saltmouth": "location"}
    for name, kind in kinds.items():
        for match in re.finditer(name, text):
            yield Mention(match.start(), match.end(), kind, name)


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Stand in for the language models; gives the number of records analysed, call by call."""
    counts: list[int] = []

    def analyse_pending(
        catalogue: Catalogue, models: Models, settings: AnalysisSettings, advance: Callable[[int], None]
    ) -> int:
        assert models.language.name
        assert settings.batch
        waiting = list(catalogue.pending(MARK))
        profiled = zip(waiting, analyse(waiting, Spelling()), strict=True)
        catalogue.put_profiles(MARK, [(r.analysis_hash, profiles.encode(p)) for r, p in profiled])
        advance(len(waiting))
        counts.append(len(waiting))
        return len(waiting)

    monkeypatch.setattr(scoring, "fingerprint", lambda _: MARK)
    monkeypatch.setattr(scoring, "analyse_pending", analyse_pending)
    return counts


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration file over few of the project's features and none of its systems."""
    for name in [name for name in os.environ if name.startswith("KINDRED_")]:
        monkeypatch.delenv(name)
    declared, _, research = (yaml_of(file.read_text("utf-8")) for file in shipped_files())
    known = {**declared["features"], **research["features"]}
    declared["features"] = {name: known[name] for name in sorted(set(re.findall(r"\w+_tfidf", CONFIG)))}
    declared["systems"] = {}  # the project's own take long to train
    base = tmp_path / "base.yaml"
    base.write_text(yaml.safe_dump(declared, sort_keys=False), "utf-8")
    monkeypatch.setattr("service.configuration.shipped_files", lambda: (base,))
    path = tmp_path / "config.yaml"
    path.write_text(CONFIG.format(state=tmp_path / "state"))
    return path
