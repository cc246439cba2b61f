"""What a command loads, since that is the time that it takes to start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ingest.errors import ConfigError
from service.basic_settings import load_basic
from service.configuration import is_research, read, shipped_files
from service.settings import Settings, load, load_served
from service.state import load_state

HEAVY = {
    *("numpy", "numba", "scipy", "fastapi", "pydantic_settings"),
    *("features.measures", "features.research", "models.regressors", "models.research", "service.settings"),
}
RESEARCH = {"features.research", "models.research"}


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("KINDRED_"):
            monkeypatch.delenv(name)


def loaded(program: str, state: Path) -> set[str]:
    """The modules that a program has loaded at its end."""
    code = f"import sys\ntry:\n    {program}\nfinally: print(*sys.modules, file=sys.stderr)"
    environment = {**os.environ, "KINDRED_STATE__DIRECTORY": str(state)}
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    return set(ended.stderr.split())


def command(*arguments: str) -> str:
    return f"sys.argv = ['kindred', *{arguments}]; from service.cli.root import main; main()"


@pytest.mark.parametrize(
    "arguments",
    [("keys", "list"), ("paths", "list"), ("feedback", "list"), ("feedback", "list", "--json"), ("harvest",)],
)
def test_a_command_that_needs_no_collection_loads_nothing_of_one(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    modules = loaded(command(*arguments), tmp_path)
    assert "service.configuration" in modules
    assert modules.isdisjoint(HEAVY)


def test_the_default_system_loads_nothing_of_research(sample: Path) -> None:
    opening = "from service.composition import open_recommender; from service.settings import load_served"
    asking = "now = open_recommender(load_served()); now.item('sample:painting/canaletto-stonemasons-yard')"
    modules = loaded(f"{opening}; {asking}", sample)
    assert "features.measures.tfidf" in modules
    assert not {name for name in modules if name.startswith(tuple(RESEARCH))}


def own(folder: Path, text: str) -> Path:
    file = folder / "own.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def rows(settings: Settings) -> set[str]:
    return {*settings.features, *settings.systems}


@pytest.mark.parametrize(
    "text",
    [
        "service: {port: 9000}",
        "features: {years: {k: 0.2}}",
        "systems: {mine: {title: a, regressor: linear, features: [years]}}",
    ],
)
def test_rows_of_research_stay_away_where_nothing_names_one(tmp_path: Path, text: str) -> None:
    file = own(tmp_path, text)
    served, whole = load_served(file), load(file)
    assert rows(served) < rows(whole)
    assert all(served.features[name] == whole.features[name] for name in served.features)
    assert list(served.features) == [name for name in whole.features if name in served.features]


@pytest.mark.parametrize(
    "text",
    [
        "service: {system: T3}",
        "service: {also: [Unitor]}",
        "features: {lda: {topics: 50}}",
        "features: {x: {measure: known, of: content_tfidf}}",
        "systems: {T1: {title: a}}",
        "systems: {x: {title: a, regressor: linear, features: [lda]}}",
        "systems: {kindred: {among: {general: [lda]}}}",
        "systems: {linear: {fallback: T0}}",
    ],
)
def test_a_row_of_research_that_is_named_brings_them_all(tmp_path: Path, text: str) -> None:
    file = own(tmp_path, text)
    assert load_served(file) == load(file)


def test_a_system_or_a_variable_that_names_a_row_of_research_brings_them_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert load_served(None, "T0") == load()
    assert load_served(None, "nope") == load()  # so that the error lists all that is declared
    assert load_served(None, "linear") != load()
    monkeypatch.setenv("KINDRED_FEATURES__LDA__TOPICS", "50")
    assert load_served() == load()


def test_what_stands_beside_research_names_none_of_its_rows() -> None:
    files = [read(file) for file in shipped_files()]
    assert [is_research(file) for file in files] == [False, False, True]
    assert rows(load_served()) == {
        name
        for section in ("features", "systems")
        for name in dict(files[0].tree[section])  # type: ignore[call-overload]
    }


@pytest.mark.parametrize(
    "text",
    [
        "servce: {port: 1}",
        "state: {directry: x}",
        "state: 3",
        "state: {directory: [x]}",
        "ingest: {mapping: nope}",
        "mappings: {x: {id: {colum: a}}}",
        "harvest: {x: {url: nowhere}}",
        "harvest: {x: {url: 'https://a.org', mapping: nope}}",
        "language: {package: big}",
        "- a",
        "a: [",
    ],
)
def test_what_is_wrong_is_refused_in_the_same_words_however_much_is_read(tmp_path: Path, text: str) -> None:
    file = own(tmp_path, text)
    with pytest.raises(ConfigError) as whole:
        load(file)
    for loading in (load_basic, load_served):
        with pytest.raises(ConfigError) as some:
            loading(file)
        assert some.value.detail == whole.value.detail


@pytest.mark.parametrize(
    ("text", "variable"),
    [
        ("service: {system: nope}", {}),
        ("features: {x: {measure: bm99}}", {}),
        ("features: {x: {measure: known, of: nope}}", {}),
        ("systems: {x: {title: a, regressor: nope}}", {}),
        ("systems: {linear: {fallback: nope}}", {}),
        ("types: {general: {headng: a}}", {}),
        ("", {"KINDRED_SERVICE__SYSTEM": "nope"}),
        ("", {"KINDRED_SERVICE__ALSO": "T0"}),
        ("", {"KINDRED_SERVCE__PORT": "1"}),
    ],
)
def test_what_is_served_is_refused_as_when_all_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, variable: dict[str, str]
) -> None:
    for name, value in variable.items():
        monkeypatch.setenv(name, value)
    file = own(tmp_path, text)
    with pytest.raises(ConfigError) as whole:
        load(file)
    with pytest.raises(ConfigError) as served:
        load_served(file)
    assert served.value.detail == whole.value.detail


@pytest.mark.parametrize(
    ("text", "variable", "folder"),
    [
        ("", {}, ".kindred"),
        ("state:", {}, ".kindred"),
        ("state: {directory: here}", {}, "here"),
        ("state: {directory: here}", {"KINDRED_STATE__DIRECTORY": "there"}, "there"),
        ("state: {directory: here}", {"KINDRED_STATE__DIRECTORY": ""}, "here"),
        ("service: {port: 1}", {"KINDRED_PORT": "tcp://10.0.0.1:8000"}, ".kindred"),
        ("servce: {port: 1}", {}, None),
        ("state: 3", {}, None),
        ("state: {directry: here}", {}, None),
        ("", {"KINDRED_STATE": '{"directory": "there"}'}, None),
        ("", {"kindred_state__directory": "there"}, None),
    ],
)
def test_the_state_folder_is_read_alone_where_nothing_else_is_said_of_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    variable: dict[str, str],
    folder: str | None,
) -> None:
    for name, value in variable.items():
        monkeypatch.setenv(name, value)
    file = own(tmp_path, text)
    state = load_state(file)
    assert (state and str(state.directory)) == folder
    if state is not None:
        assert load(file).state.catalogue == state.catalogue
