"""Candidates that an additive system proposes, scored exactly, against scoring every pair."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from features.arrays import Array, Doubles
from features.collection.build import build
from ingest.errors import ConfigError
from ingest.record import Record
from models import artefact
from models.regressors.base import Regressor
from models.systems import System, fit
from models.types import OFFICIAL, SimilarityType
from service.cli import root as cli
from service.composition import open_provider
from service.search.engines.local.index import LocalIndex
from service.search.engines.port import ProposedItem, Question
from service.search.neighbours import Retrieval
from service.search.variants import choose, features_of
from service.settings import Settings, load
from service.web.api.app import create_app
from tests.builders import NONE, fitted, random_records, random_system
from tests.service.builders import items, record
from tests.service.search.test_local_index import (
    Changes,
    brute,
    changed,
    changes,
    near,
    questions,
    with_nothing,
)

Nearest = Mapping[SimilarityType, list[ProposedItem]]

numbers = st.integers(1, 10)
seeds = st.integers(0, 1000)


@dataclass(frozen=True)
class Wave(Regressor):
    """No sum of terms, and far from one: the sine of what another regressor gives."""

    of: Regressor

    @property
    def width(self) -> int:
        return self.of.width

    def raw(self, values: Doubles) -> Doubles:
        waves: Doubles = 2.5 + 2.5 * np.sin(3.0 * self.of.raw(values))
        return waves

    def arrays(self) -> dict[str, Array]:
        return self.of.arrays()


def wave(seed: int) -> System:
    """A system that is not additive; for some pairs there is nothing of location."""
    of = with_nothing(seed)
    return System("wave", of.features, Wave(of.regressor), of.not_applicable)


def expected(index: LocalIndex, proposer: System, system: System, number: int, question: Question) -> Nearest:
    """The best of the additive system by scoring every pair, in the order of the other's scores."""
    results = {}
    for kind in question.types:
        proposed = brute(index.collection, proposer, question, kind)[:number]
        among = replace(question, among=frozenset(one.id for one in proposed))
        results[kind] = brute(index.collection, system, among, kind)
    return results


@given(random_records(least=2), st.just({}) | changes(), seeds, seeds, numbers, numbers, st.data())
def test_the_candidates_are_ranked_by_their_own_scores(
    records: list[Record],
    changes: Changes,
    one: int,
    other: int,
    number: int,
    limit: int,
    data: st.DataObject,
) -> None:
    system, proposer = wave(one), random_system(other)
    index = changed(LocalIndex(fitted(records), proposer), changes)
    if not index.collection.ids:
        return
    question = data.draw(questions(index.collection.ids))
    retrieval = Retrieval(index, index.collection, system, number)
    results, kind = expected(index, proposer, system, number, question), data.draw(st.sampled_from(OFFICIAL))
    for each, nearest in retrieval.nearest(question, limit).items():
        near(nearest, results[each][:limit])
    # pages give every candidate once, and end with them
    alone, pages = replace(question, types=(kind,)), list[ProposedItem]()
    while page := retrieval.nearest(replace(alone, after=pages[-1] if pages else None), limit)[kind]:
        pages += page
    near(pages, results[kind])


@given(random_records(least=2), seeds, numbers, st.data())
def test_where_every_item_is_proposed_the_answer_is_exact(
    records: list[Record], seed: int, limit: int, data: st.DataObject
) -> None:
    collection, system = fitted(records), wave(seed)
    proposing = LocalIndex(collection, random_system(seed))
    question = data.draw(questions(collection.ids))
    results = Retrieval(proposing, collection, system, len(records)).nearest(question, limit)
    for kind, whole in LocalIndex(collection, system).propose(question, limit).items():
        near(results[kind], whole)


CONFIG = """
systems:
  opaque:
    title: support vectors
    regressor: svr
    features: [title_tfidf, years]
    retrieval: {system: linear, candidates: 3}
service: {system: opaque, also: []}
"""

APPROXIMATE = "opaque scores the 3 items of a type that linear ranks highest, and finds no other"


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
    assert choose(opaque, NONE).approximate == APPROXIMATE
    assert choose(opaque, NONE, "linear").approximate is None
    with TestClient(create_app(open_provider(opaque), opaque)) as client:
        path, question = "/items/x:0/similar", {"type": "time", "limit": "2"}
        first = client.get(path, params=question).json()
        assert (first["system"], first["approximate"], len(first["neighbours"])) == ("opaque", APPROXIMATE, 2)
        rest = client.get(path, params={**question, "cursor": first["next"]}).json()
        assert (len(rest["neighbours"]), rest["next"]) == (1, None)
        overview = client.get(path).json()
        assert overview["approximate"] == APPROXIMATE
        assert client.get("/health/ready").json()["approximate"] == APPROXIMATE
        for page in ("/", "/view/items/x:0"):
            assert APPROXIMATE in " ".join(client.get(page).text.split())


def test_so_do_the_commands(
    opaque: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def run(*arguments: str) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["kindred", *arguments])
        with pytest.raises(SystemExit):
            cli.main()
        answer = capsys.readouterr()
        return " ".join(answer.out.split()), " ".join(answer.err.split())

    assert opaque.service.system == "opaque"
    assert APPROXIMATE in run("similar", "x:0")[1]
    assert json.loads(run("similar", "x:0", "--json")[0])["approximate"] == APPROXIMATE
    out = str(tmp_path / "near")
    assert json.loads(run("neighbours", "--all", "--out", out, "--json")[0])["approximate"] == APPROXIMATE


@pytest.mark.parametrize(
    ("proposes", "message"),
    [
        ("nobody", "line 7: systems.opaque.retrieval.system: no system 'nobody'"),
        ("kindred-max", "line 7: systems.opaque.retrieval.system: 'kindred-max' is not additive"),
    ],
)
def test_what_cannot_propose_is_refused(tmp_path: Path, proposes: str, message: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(CONFIG.replace("system: linear", f"system: {proposes}"), encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load(path)
    assert f"own.yaml, {message}" in refused.value.detail


def test_an_additive_system_needs_no_candidates(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("systems: {linear: {retrieval: {system: T0-parsed, candidates: 3}}}", encoding="utf-8")
    with pytest.raises(ConfigError, match="unknown key"):
        load(path)
