"""Which system answers where what the wanted one needs is absent, and how every answer says so."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from features.collection.build import build
from features.knowledge.resources import ResourceName, Resources
from features.research.measures.walk import WalkSettings
from ingest.errors import ConfigError, ResourceMissing
from service.cli import root as cli
from service.composition import open_provider, open_recommender
from service.opening import open_resources
from service.search.engines.local import provider
from service.search.variants import choose, features_of, served
from service.settings import Settings, load
from service.web.api.app import create_app
from tests.service.builders import items, record

RECORDS = [record(f"x:{n}", f"View {n} of Venice", "Hand", "", f"18{n:02}") for n in range(5)]

EIGHT = ["general", "author", "people", "time", "location", "event", "subject", "description"]


def one(feature: str) -> str:
    return "regressor: one, one: {" + ", ".join(f"{kind}: {feature}" for kind in EIGHT) + "}"


CONFIG = "\n".join(
    [
        "features:",
        "  meant: {measure: sentences, text: content}",
        "systems:",
        "  full: {title: t, fallback: plain, " + one("meant") + "}",
        "  plain: {title: t, " + one("title_tfidf") + "}",
        "  bare: {title: t, " + one("meant") + "}",
        "service: {system: full, also: [bare]}",
        "sentences: {encoder: full}",
    ]
)


class Installed(Resources):
    """An installation that lacks some resources."""

    def __init__(self, *absent: ResourceName) -> None:
        self._absent = absent

    def missing(self, needed: Iterable[ResourceName]) -> dict[ResourceName, str]:
        return {name: f"run: get {name}" for name in sorted(set(needed)) if name in self._absent}


LACKING, WHOLE = Installed("sentences"), Installed()


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    path = tmp_path / "own.yaml"
    path.write_text(CONFIG, encoding="utf-8")
    monkeypatch.setenv("KINDRED_CONFIG", str(path))
    return path


@pytest.fixture
def lacking(config: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings over a collection that was built where sentence vectors are not installed."""
    settings = load(config)
    monkeypatch.setattr(provider, "open_resources", lambda _: LACKING)
    build(
        settings.state.collection, items(RECORDS), features_of(settings, ["plain"]), LACKING,
        revision=1, pipeline="",
    )  # fmt: skip
    return settings


def test_the_first_of_the_chain_that_has_all_it_needs_answers(config: Path) -> None:
    settings = load(config)
    there = choose(settings, WHOLE)
    assert (there.system, there.stands_in_for, dict(there.missing), there.warning) == ("full", None, {}, None)
    instead = choose(settings, LACKING)
    assert (instead.system, instead.stands_in_for) == ("plain", "full")
    assert dict(instead.missing) == {"sentences": "run: get sentences"}
    assert instead.warning == "plain answers in place of full, which lacks sentences: run: get sentences"


def test_where_nothing_stands_in_the_command_is_named(config: Path) -> None:
    with pytest.raises(ResourceMissing, match=r"system 'bare' needs .* run: get sentences"):
        choose(load(config), LACKING, "bare")


def test_a_collection_is_built_for_what_can_answer(config: Path) -> None:
    settings = load(config)
    systems, refused = served(settings, LACKING)
    assert [variant.system for variant in systems] == ["plain"]
    assert refused == ["system 'bare' needs what is not here: sentences: run: get sentences"]
    assert list(features_of(settings, ["plain"])) == ["title_tfidf"]
    assert [variant.system for variant in served(settings, WHOLE)[0]] == ["full", "bare"]
    assert list(features_of(settings, ["full", "plain"])) == ["title_tfidf", "meant"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("fallback: plain", "fallback: full", "line 4: systems.full.fallback: the systems full stand in"),
        ("fallback: plain", "fallback: none", "line 4: systems.full.fallback: no system 'none'"),
        ("also: [bare]", "also: [nope]", "line 7: service.also: no system 'nope'"),
        (
            "fallback: plain",
            "not_applicable: {time: nope}",
            "line 4: systems.full.not_applicable: no feature 'nope'",
        ),
        ("fallback: plain", "not_applicable: {tim: years}", "line 4: systems.full.not_applicable.tim"),
        (
            "fallback: plain",
            "own: {}",
            "line 4: systems.full.own: unknown key; allowed are: applies, both, fallback, floor, missing",
        ),
    ],
)
def test_a_chain_that_leads_nowhere_is_refused(config: Path, old: str, new: str, message: str) -> None:
    config.write_text(CONFIG.replace(old, new), encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load(config)
    assert f"own.yaml, {message}" in refused.value.detail


def test_every_answer_names_what_was_wanted_and_what_answers(lacking: Settings) -> None:
    with TestClient(create_app(open_provider(lacking), lacking)) as client:
        ready = client.get("/health/ready").json()
        answers = [
            client.get("/items/x:0/similar", params={"type": "time"}).json(),
            client.get("/explain", params={"left": "x:0", "right": "x:1"}).json(),
            client.post("/score", json={"left": {"id": "x:0"}, "right": {"id": "x:1"}}).json(),
            ready,
        ]
        assert [(answer["system"], answer["stands_in_for"]) for answer in answers] == [("plain", "full")] * 4
        assert ready["missing"] == ["sentences: run: get sentences"]
        assert ready["absent"] == ["meant"]
        for path in ("/", "/view/items/x:0"):
            page = client.get(path).text
            assert "<code>plain</code>, in place of <code>full</code>" in " ".join(page.split())


def test_the_commands_name_both(
    lacking: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lacking.service.system == "full"

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["kindred", *arguments])
        with pytest.raises(SystemExit):
            cli.main()
        return capsys.readouterr().out

    for command in (("similar", "x:0"), ("explain", "x:0", "x:1")):
        assert "system plain (in place of full)" in " ".join(run(*command).split())
        document = json.loads(run(*command, "--json"))
        assert (document["system"], document["stands_in_for"]) == ("plain", "full")


def test_a_system_that_the_collection_was_not_built_for_says_how(lacking: Settings) -> None:
    with pytest.raises(ResourceMissing, match=r"name T0-parsed under service\.also, then run: kindred build"):
        open_recommender(lacking, "T0-parsed")


def test_a_resource_that_went_away_is_named_with_both_remedies(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # built for full, which the encoder makes possible; without it plain answers, which needs other features
    settings = load(config)
    build(
        settings.state.collection, items(RECORDS), features_of(settings, ["full"]), WHOLE,
        revision=1, pipeline="",
    )  # fmt: skip
    monkeypatch.setattr(provider, "open_resources", lambda _: LACKING)
    with pytest.raises(ResourceMissing) as refused:
        open_recommender(settings)
    message = refused.value.detail
    assert "full, which lacks sentences: run: get sentences. Provide that;" in message
    assert message.endswith("or, to do without it, run: kindred build")


def test_a_collection_whose_resource_went_away_names_both_remedies(config: Path, tmp_path: Path) -> None:
    config.write_text("resources: {wordnet: tests/data/wordnet}", encoding="utf-8")
    settings = load(config)
    walk = {"walk": WalkSettings(measure="walk", graph="wordnet")}
    resources = open_resources(settings)
    build(settings.state.collection, items(RECORDS), walk, resources, revision=1, pipeline="")
    config.write_text(f"resources: {{wordnet: {tmp_path / 'nothing'}}}", encoding="utf-8")
    with pytest.raises(ResourceMissing) as refused:
        open_recommender(load(config))
    message = refused.value.detail
    assert message.startswith("the collection was built with what is not here now: ")
    assert "nothing" in message
    assert message.endswith("Provide that; or, to do without it, run: kindred build")
