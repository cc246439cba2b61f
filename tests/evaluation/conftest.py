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
from ingest.typed_files import GOLD, INPUT
from service.configuration import shipped_files
from tests.evaluation.running import CONFIG, TYPES
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


def a_set(folder: Path, pairs: list[tuple[str, str]], gold: list[list[float]], titles: list[str]) -> Path:
    """A set of pairs in the official layout, its texts titles alone."""
    text = folder / "pairs" / "text"
    text.mkdir(parents=True)
    (folder / INPUT).write_text("".join(f"urn:record:{one}\turn:record:{two}\n" for one, two in pairs))
    (folder / GOLD).write_text("".join("\t".join(map(str, row)) + "\n" for row in gold))
    names = dict(zip(dict.fromkeys(name for pair in pairs for name in pair), titles, strict=True))
    for n, pair in enumerate(pairs, 1):
        for side, name in zip("ab", pair, strict=True):
            (text / f"{n}{side}_x_{name.replace(':', '')}.txt").write_text(f"dcTitle:\t{names[name]}\n")
    return folder


@pytest.fixture
def museums(tmp_path: Path) -> Path:
    """Three museums: boats and mills in the first, one of its boats beside those of the second, and coins."""
    folder = tmp_path / "museums"
    titles = ["red boat", "red boat at sea", "old mill", "grey boat", "mill by the sea", "boat"]
    pairs = [("north:1", "north:2"), ("north:1", "north:3"), ("north:4", "north:5"), ("north:4", "north:6")]
    a_set(folder / "north", pairs, [[4.0] * 8, [0.0] * 8, [1.0] * 8, [3.0] * 8], titles)
    titles = ["green boat", "green boat ashore", "tower", "red boat"]
    pairs = [("quay:1", "quay:2"), ("quay:1", "quay:3"), ("quay:2", "north:1")]
    a_set(folder / "quay", pairs, [[5.0] * 7 + [4.0], [1.0] * 8, [2.0] * 8], titles)
    titles = ["coin of Nero", "coin of Otho", "lead seal", "coin of Nero in gold"]
    pairs = [("mint:1", "mint:2"), ("mint:1", "mint:3"), ("mint:1", "mint:4")]
    # one pair in three has an event: it counts; none has a maker
    a_set(
        folder / "mint",
        pairs,
        [[3.0, 0, 2, 2, 2, 0, 3, 3], [1.0, 0, 0, 1, 1, 0, 1, 1], [5.0, 0, 5, 4, 5, 2, 5, 5]],
        titles,
    )
    lines = [["pair", "annotator", *TYPES], ["1", "1", *"41233344"], ["1", "2", *"20111122"]]
    lines += [["2", "1", *"00000000"], ["2", "2", *["NA"] * 8], ["3", "1", *"55555555"]]
    (folder / "mint" / "annotations.tsv").write_text("".join("\t".join(line) + "\n" for line in lines))
    (folder / "GUIDE.md").write_text("No set of pairs.")
    return folder
