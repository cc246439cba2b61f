"""A ninth type, as CONTRIBUTING.md walks through it: a row, gold and weights."""

import json
import os
import re
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient

from evaluation.typed import read_pairs
from ingest.errors import ConfigError
from models.regressors.linear import Weighted
from models.systems import System
from models.types import OFFICIAL
from service.cli import root as cli
from service.configuration import PREFIX
from service.operations.feedback import Feedback, Verdict
from service.search.engines.local.index import LocalIndex
from service.search.recommender import Recommender
from service.settings import load
from service.web.api.app import create_app
from tests.builders import fitted, profiles, record
from tests.documents import ROOT, sections

SAMPLE = ROOT / "ingest" / "sample" / "records.jsonl"
YARD = "sample:painting/canaletto-stonemasons-yard"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration that the walk shows."""
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setenv("KINDRED_ANALYSIS__PROCESSES", "1")
    walk = sections((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))["A ninth type"]
    path = tmp_path / "material.yaml"
    block = re.search(r"```yaml\n(.*?)```", walk, re.DOTALL)
    assert block is not None
    path.write_text(block[1], encoding="utf-8")
    return path


def run(config: Path, capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["kindred", "--config", str(config), *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
    out, err = capsys.readouterr()
    code = ended.value.code
    return code if isinstance(code, int) else 0, out, err


def written(folder: Path, records: list[dict[str, list[str]]]) -> Path:
    """Pairs of each record with the next; of the same material where both or neither is a painting."""
    texts = folder / "pairs" / "text"
    texts.mkdir(parents=True)
    ids, gold = [], []
    for n, both in enumerate(pairwise(records), 1):
        ids.append(f"urn:record:m:{n}\turn:record:m:{n + 1}")
        same = len({"painting" in one["type"] for one in both}) == 1
        gold.append("\t".join(str(score) for score in (3, 1, n % 6, n % 5, 2, n % 4, n % 3, 4, 5 * same)))
        for number, side, one in zip((n, n + 1), "ab", both, strict=True):
            lines = [f"dcTitle:\t{one['title'][0]}", f"dcDescription:\t{one['description'][0]}"]
            (texts / f"{n}{side}_m_{number}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "STS.input.europeana.txt").write_text("\n".join(ids) + "\n", encoding="utf-8")
    (folder / "STS.gs.europeana.txt").write_text("\n".join(gold) + "\n", encoding="utf-8")
    return folder


@pytest.mark.slow
def test_a_ninth_type_is_a_row_and_weights(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()[::20]
    few = tmp_path / "few.jsonl"
    few.write_text("\n".join(lines), encoding="utf-8")
    pairs = written(tmp_path / "pairs", [json.loads(line) for line in lines])

    status, out, _ = run(config, capsys, "train", "--pairs", pairs, "--system", "toned", "--json")
    assert status == 0
    assert list(json.loads(out)["features"]["all_tfidf"])[-1] == "material"
    assert run(config, capsys, "ingest", few)[0] == 0
    assert run(config, capsys, "build")[0] == 0

    command = ("similar", YARD, "--type", "material", "--json")
    status, out, _ = run(config, capsys, *command)
    first = json.loads(out)["neighbours"][0]
    assert (status, first["type"], list(first["scores"])[-1]) == (0, "material", "material")
    status, out, _ = run(config, capsys, "explain", YARD, first["id"], "--type", "material", "--json")
    (explanation,) = json.loads(out)["explanations"]
    assert explanation["raw"] == pytest.approx(
        explanation["base"] + sum(one["amount"] for one in explanation["contributions"])
    )

    # T0 knows eight: it answers for them, and refuses the ninth
    status, out, err = run(config, capsys, *command, "--system", "T0")
    assert (status, out) == (2, "")
    assert "system 'T0' has no similarity type 'material'; it has: general, author" in err
    status, out, _ = run(config, capsys, "explain", YARD, first["id"], "--system", "T0", "--json")
    assert status == 0
    assert "material" not in json.loads(out)["scores"]

    # the official layout has eight columns
    assert run(config, capsys, "score", "--pairs", pairs, "--out", tmp_path / "scores.txt")[0] == 0
    assert {len(line.split()) for line in (tmp_path / "scores.txt").read_text().splitlines()} == {8}
    status, out, _ = run(config, capsys, "evaluate", "--pairs", pairs, "--system", "T0", "--json")
    assert list(json.loads(out)["results"][0]["pearson"])[-1] == "description"
    status, out, _ = run(config, capsys, "evaluate", "--pairs", pairs, "--system", "toned", "--json")
    assert json.loads(out)["results"][0]["pearson"]["material"] > 0

    # what curators say of it is a column of the gold that is exported, and is read again
    settings = load(config)
    with Feedback(settings.state.feedback) as feedback:
        feedback.say(
            (YARD, first["id"]), "material", Verdict(fits=True, score=4.5), by="ann", system="toned",
            scores=first["scores"],
        )  # fmt: skip
    assert run(config, capsys, "feedback", "export", "--out", tmp_path / "judged")[0] == 0
    gold = read_pairs(tmp_path / "judged", settings.types).known_gold()
    assert gold.shape == (1, 9)
    assert gold[0, 8] == 4.5


def test_pages_and_the_document_know_the_ninth_type(config: Path) -> None:
    settings = load(config)
    assert settings.types["material"].heading == "of the same material"
    collection = fitted([record("a:1", "Red boat"), record("a:2", "Red boats"), record("a:3", "Stone")])
    line = Weighted(np.full((1, 9), 5.0), np.zeros(9))
    system = System("toned", ("all",), line, types=settings.types, floor={"material": 1.0, "time": 4.0})
    app = create_app(Recommender(LocalIndex(collection, system), system, profiles), settings)
    with TestClient(app) as client:
        page = client.get("/view/items/a:1").text
        # a:2 shares a word: its 1.52 is close in material, and not in time
        assert "Nothing close in this collection: of the same time." in page
        assert 'type=material#like">Material</a>' in page
        assert ">of the same material</a>" in page
        near = client.get("/items/a:1/similar", params={"type": "material"}).json()["neighbours"]
        assert [one["id"] for one in near] == ["a:2"]
        start, widget = client.get("/"), client.get("/static/widget.js")
        document = client.get("/openapi.json")
        schemas = document.json()["components"]["schemas"]
    assert "in each of 9 ways" in start.text
    assert widget.headers["content-type"].startswith("text/javascript")
    assert f'"{" ".join(settings.types)}"' in widget.text
    assert "in which of 9 ways" in document.text
    for page in (start.text, widget.text, document.text):
        assert not re.search(r"\b[Ee]ight\b", page)
    assert schemas["SimilarityType"]["enum"][-1] == "material"
    assert list(schemas["Scores"]["properties"])[-1] == "material"


def test_the_official_types_are_always_there_and_first(config: Path) -> None:
    config.write_text("types: {zeal: {}, author: {heading: by whom}}", encoding="utf-8")
    types = load(config).types
    assert (tuple(types)[:8], tuple(types)[8:]) == (OFFICIAL, ("zeal",))
    assert (types["author"].heading, types["author"].phrase) == ("by whom", "Neither names a maker.")
    config.write_text("systems: {T0: {floor: {zest: 2}}}", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"line 1: systems\.T0\.floor.*no similarity type 'zest'"):
        load(config)
