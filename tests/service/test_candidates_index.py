"""Candidates that an additive system proposes, scored exactly, against scoring every pair."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from service.index.candidates import CandidateIndex
from service.index.exact import ExactIndex, Pace
from service.index.live import LiveIndex

from features.collection.collection import Collection, build
from features.collection.overlay import Living
from ingest.errors import ConfigError
from ingest.record import Record
from models import artefact
from models.regression import fit
from models.regressors.base import Regressor
from models.systems import System
from models.types import Matrix
from service import cli
from service.api.app import create_app
from service.composition import Desk
from service.index.local import LocalIndex
from service.index.port import Found, Index, Query
from service.settings import Settings, load
from service.variants import choose, features_of
from tests.builders import NONE, fitted, random_records, random_system
from tests.service.builders import items, record
from tests.service.test_live_index import changed
from tests.service.test_local_index import brute, near, queries, with_nothing

numbers = st.integers(1, 10)
seeds = st.integers(0, 1000)


@dataclass(frozen=True)
class Wave(Regressor):
    """No sum of terms, and far from one: the sine of what another regressor gives."""

    of: Regressor

    @property
    def width(self) -> int:
        return self.of.width

    def raw(self, values: Matrix) -> Matrix:
        waves: Matrix = 2.5 + 2.5 * np.sin(3.0 * self.of.raw(values))
        return waves

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        return self.of.arrays()


def wave(seed: int) -> System:
    """A system that is not additive; for some pairs there is nothing of location."""
    of = with_nothing(seed)
    return System("wave", of.features, Wave(of.regressor), of.not_applicable)


def additive(collection: Collection, system: System) -> Index:
    assert system.additive is not None
    return ExactIndex(collection, system, system.additive, Pace(0.3, 1, 1, 1))


def expected(
    collection: Collection, system: System, proposer: System, number: int, query: Query
) -> list[Found]:
    """The best of the additive system by scoring every pair, in the order of the other's scores."""
    proposed = {found.row for found in brute(collection, proposer, query)[:number]}
    return [found for found in brute(collection, system, query) if found.row in proposed]


@given(random_records(least=2), seeds, seeds, numbers, numbers, st.data())
def test_the_candidates_are_ranked_by_their_exact_scores(
    records: list[Record], one: int, other: int, number: int, limit: int, data: st.DataObject
) -> None:
    collection, system, proposer = fitted(records), wave(one), random_system(other)
    index = CandidateIndex(collection, system, additive(collection, proposer), number)
    query = data.draw(queries(len(records)))
    found = expected(collection, system, proposer, number, query)
    near(index.nearest(query, limit), found[:limit])
    near(index.nearest_of_each(query, limit)[query.type], found[:limit])
    given = {one.row for one, kind in index.motivated(query, limit) if kind == query.type}
    assert given <= {one.row for one in found}
    # pages give every candidate once, and end with them
    pages: list[Found] = []
    while page := index.nearest(query, limit, pages[-1] if pages else None):
        pages += page
    near(pages, found)


@given(random_records(least=2), seeds, numbers, st.data())
def test_where_every_item_is_proposed_the_answer_is_exact(
    records: list[Record], seed: int, limit: int, data: st.DataObject
) -> None:
    collection, system = fitted(records), wave(seed)
    index = CandidateIndex(collection, system, additive(collection, random_system(seed)), len(records))
    query = data.draw(queries(len(records)))
    whole = LocalIndex(collection, system)
    near(index.nearest(query, limit), whole.nearest(query, limit))
    for kind, found in index.nearest_of_each(query, limit).items():
        near(found, whole.nearest_of_each(query, limit)[kind])


@given(changed(), seeds, seeds, numbers, numbers, st.data())
def test_changes_on_top_are_proposed_like_the_items_beneath(
    living: Living, one: int, other: int, number: int, limit: int, data: st.DataObject
) -> None:
    if len(living) < 2:
        return
    system, proposer = wave(one), random_system(other)
    proposing = LiveIndex(additive(living.base, proposer), living, proposer)
    index = CandidateIndex(living, system, proposing, number)
    query = data.draw(queries(len(living)))
    near(index.nearest(query, limit), expected(living, system, proposer, number, query)[:limit])


CONFIG = """
systems:
  opaque:
    title: support vectors
    regressor: svr
    features: [title_tfidf, years]
    retrieval: {system: linear, candidates: 3}
service: {system: opaque, also: []}
"""

SAID = "opaque scores the 3 items of a type that linear ranks highest, and finds no other"


@pytest.fixture
def opaque(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Eight items, built for a system that is not additive and has learnt from noise."""
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    path = tmp_path / "own.yaml"
    path.write_text(CONFIG, encoding="utf-8")
    monkeypatch.setenv("KINDRED_CONFIG", str(path))
    settings = load(path)
    row, noise = settings.system("opaque"), np.random.default_rng(1)
    system = fit("opaque", row, noise.random((40, 2)), 5 * noise.random((40, 8)))
    artefact.save(
        settings.state.weights, system, row, settings.features, trained_on="noise", pairs=40
    )  # fmt: skip
    records = [record(f"x:{n}", f"View {n % 3} of Venice", "Hand", "", f"18{n:02}") for n in range(8)]
    # what proposes has to be built too
    built = features_of(settings, ["opaque"])
    assert {"title_tfidf", "years", "location_tfidf"} <= set(built)
    build(settings.state.collection, items(records), built, NONE, revision=1, pipeline="")
    return settings


def test_every_answer_says_that_it_is_approximate(opaque: Settings) -> None:
    assert choose(opaque, NONE).approximate == SAID
    assert choose(opaque, NONE, "linear").approximate is None
    with TestClient(create_app(Desk(opaque), opaque)) as client:
        path, asked = "/items/x:0/similar", {"type": "time", "limit": "2"}
        first = client.get(path, params=asked).json()
        assert (first["system"], first["approximate"], len(first["neighbours"])) == ("opaque", SAID, 2)
        rest = client.get(path, params={**asked, "cursor": first["next"]}).json()
        assert (len(rest["neighbours"]), rest["next"]) == (1, None)
        overview = client.get(path).json()
        assert overview["approximate"] == SAID
        assert client.get("/health/ready").json()["approximate"] == SAID
        for page in ("/", "/view/items/x:0"):
            assert SAID in " ".join(client.get(page).text.split())


def test_so_do_the_commands(
    opaque: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def run(*arguments: str) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["kindred", *arguments])
        with pytest.raises(SystemExit):
            cli.main()
        told = capsys.readouterr()
        return " ".join(told.out.split()), " ".join(told.err.split())

    assert opaque.service.system == "opaque"
    assert SAID in run("similar", "x:0")[1]
    assert json.loads(run("similar", "x:0", "--json")[0])["approximate"] == SAID
    out = str(tmp_path / "near")
    assert json.loads(run("neighbours", "--all", "--out", out, "--json")[0])["approximate"] == SAID


@pytest.mark.parametrize(
    ("proposes", "said"),
    [
        ("nobody", "line 7: systems.opaque.retrieval.system: no system 'nobody'"),
        ("kindred-max", "line 7: systems.opaque.retrieval.system: 'kindred-max' is not additive"),
    ],
)
def test_what_cannot_propose_is_refused(tmp_path: Path, proposes: str, said: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(CONFIG.replace("system: linear", f"system: {proposes}"), encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load(path)
    assert f"own.yaml, {said}" in refused.value.detail


def test_an_additive_system_needs_no_candidates(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("systems: {linear: {retrieval: {system: T0, candidates: 3}}}", encoding="utf-8")
    with pytest.raises(ConfigError, match="unknown key"):
        load(path)
