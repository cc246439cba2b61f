import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from features.measures.base import needed
from ingest.errors import ConfigError, UnknownMapping, UnknownSystem
from models.regressors.linear import OneSettings
from models.types import OFFICIAL
from service.basic_settings import BasicSettings
from service.configuration import FILE_VARIABLE, shipped_files
from service.opening import open_system
from service.settings import Settings, load
from tests.builders import FEATURES
from tests.yaml_text import yaml_of


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("KINDRED_"):
            monkeypatch.delenv(name)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "own.yaml"


def refused(file: Path, text: str) -> str:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        load(file)
    return error.value.detail.replace(str(file), "own.yaml")


def leaves(model: BaseModel, written: dict[str, object]) -> Iterator[tuple[str, object, object]]:
    """What the file says and what the model says without it, for every setting with a default."""
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            inner = written[name]
            assert isinstance(inner, dict)
            yield from leaves(value, inner)
        elif not field.is_required() and name != "providers":
            yield name, written[name], field.get_default()


def test_the_projects_file_holds_every_setting_with_its_default() -> None:
    written = rows(shipped_files()[0])
    assert set(written) == set(Settings.model_fields)
    settings = list(leaves(load(), written))
    assert len(settings) >= 15
    for name, text, default in settings:
        assert str(text) == str(list(default) if isinstance(default, tuple) else default), name


def rows(file: Path) -> dict[str, Any]:
    return yaml_of(file.read_text(encoding="utf-8"))


def test_what_a_museum_runs_stands_in_one_file() -> None:
    # the systems of config.yaml need no feature of research.yaml, and fall back on each other only
    museum, _, research = (rows(file) for file in shipped_files())
    settings = load()
    assert settings.service.system in museum["systems"]
    assert settings.service.also == ()
    for name in museum["systems"]:
        system = settings.system(name)
        assert set(needed(system.needs, settings.features)) <= set(museum["features"]), name
        assert system.fallback is None or system.fallback in museum["systems"], name
    assert set(research) == {"features", "systems"}
    for section, content in research.items():
        # what the terms of a system are chosen among is research too
        both = {name: set(content[name]) for name in content.keys() & museum[section].keys()}
        assert both == ({"kindred": {"among"}} if section == "systems" else {}), section


def test_a_museum_has_no_feature_that_only_research_needs() -> None:
    museum, settings = rows(shipped_files()[0]), load()
    systems = [settings.system(name) for name in museum["systems"]]
    wanted = {part for system in systems for part in needed(system.needs, settings.features)}
    assert set(museum["features"]) <= wanted, "move the others to research.yaml"


def test_the_systems_of_research_are_known_by_name(file: Path) -> None:
    file.write_text("service: {system: T3, also: [Unitor]}\n", encoding="utf-8")
    settings = load(file)
    assert settings.system(settings.service.system).title.startswith("linear regression on all 21")
    assert list(settings.systems)[-1] == "kindred-max"


def test_what_is_wrong_of_research_names_its_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # of two files with the section systems that one is named which has the row
    museum, mappings, research = shipped_files()
    wrong = file.with_name("research.yaml")
    lines = research.read_text(encoding="utf-8").splitlines()
    at = lines.index("  Unitor:") + 2
    wrong.write_text("\n".join([*lines[:at], "    shape: round", *lines[at:]]), encoding="utf-8")
    monkeypatch.setattr("service.configuration.shipped_files", lambda: (museum, mappings, wrong))
    message = refused(file, "systems: {linear: {title: our own}}")
    assert message.startswith(f"{wrong}, line {at + 1}: systems.Unitor.shape: unknown key; allowed are: ")


def test_the_projects_files_load() -> None:
    settings = load()
    assert settings.system("T0").needs
    baseline = settings.system("T0")
    assert isinstance(baseline, OneSettings)
    assert set(baseline.one) == set(OFFICIAL)
    assert settings.system("linear").trained
    assert settings.mapping("dublin-core").id
    assert all(
        feature in settings.features for system in settings.systems.values() for feature in system.needs
    )
    assert {type(row) for row in FEATURES.values()} <= {type(row) for row in settings.features.values()}


def test_what_is_not_declared_is_named() -> None:
    with pytest.raises(UnknownSystem, match="no system 'x'; declared are: kindred,"):
        load().system("x")
    with pytest.raises(UnknownMapping, match="no mapping 'x'; declared are: dublin-core"):
        load().mapping("x")


def test_a_file_of_ones_own_names_only_what_differs(file: Path) -> None:
    file.write_text(
        "service:\n  port: 9000\nfeatures:\n  mine: {measure: years, k: 0.2}\nstate:\n", encoding="utf-8"
    )
    settings = load(file)
    assert settings.service.port == 9000
    assert settings.service.model_copy(update={"port": 8000}) == load().service
    assert set(settings.features) == {*load().features, "mine"}
    assert settings.state == load().state


@pytest.mark.parametrize("row", ["{k: 0.2}", "{measure: years, k: 0.2}"])
def test_a_feature_is_replaced_key_by_key(file: Path, row: str) -> None:
    file.write_text(f"features:\n  years: {row}\n", encoding="utf-8")
    before, years = load().features["years"], load(file).features["years"]
    assert years.model_dump() == before.model_dump() | {"k": 0.2}
    assert list(load(file).features) == list(load().features)


def test_a_system_is_replaced_key_by_key_and_keeps_its_weights(file: Path) -> None:
    file.write_text("systems:\n  linear: {title: our own}\n", encoding="utf-8")
    before, settings = load().system("linear"), load(file)
    assert settings.system("linear") == before.model_copy(update={"title": "our own"})
    assert open_system(settings, "linear").features == before.needs


def test_a_list_or_a_mapping_of_a_row_is_replaced_whole(file: Path) -> None:
    assert load().features["person_tfidf"].model_dump()["scope"]["entities"] == ("person",)
    file.write_text("features:\n  person_tfidf: {scope: {parts: [title]}}\n", encoding="utf-8")
    scope = load(file).features["person_tfidf"].model_dump()["scope"]
    assert (scope["parts"], scope["entities"]) == (("title",), ())


def test_another_measure_or_regressor_replaces_the_row_whole(file: Path) -> None:
    # years has the keys k and reading, which overlap does not know; T0 has one, which linear does not
    file.write_text(
        "features:\n  years: {measure: overlap, scope: {parts: [date]}}\n"
        "systems:\n  T0: {title: a, regressor: linear, features: [all_tfidf]}\n",
        encoding="utf-8",
    )
    settings = load(file)
    assert settings.features["years"].measure == "overlap"
    assert settings.system("T0").needs == ("all_tfidf",)


def test_a_mapping_is_replaced_whole(file: Path) -> None:
    file.write_text(
        "mappings:\n  dublin-core: {id: {column: key}, title: {column: name}}\n", encoding="utf-8"
    )
    mapping = load(file).mapping("dublin-core")
    assert mapping.title
    assert not mapping.creator


@pytest.mark.parametrize("text", ["", "# nothing\n"])
def test_an_empty_file_changes_nothing(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    assert load(file) == load()


def test_commands_that_need_no_collection_know_every_section() -> None:
    assert BasicSettings.model_fields.keys() == Settings.model_fields.keys()


SECTIONS = (
    "analysis, evaluation, features, harvest, harvesting, index, ingest, language, mappings, portal,"
    " resources, sentences, service, state, systems, types"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\nservce:\n  port: 1\n", f"line 2: servce: unknown key; allowed are: {SECTIONS}"),
        (
            "service:\n  prot: 1\n",
            "line 2: service.prot: unknown key; allowed are: address, also, body, burst, costs, host, limit,",
        ),
        ("service:\n  host: x\n  port: x\n", "line 3: service.port: input should be a valid integer"),
        (
            "service:\n  port: 70000\n",
            "service.port: input should be less than or equal to 65535 (given: 70000)",
        ),
        ("language:\n  package: big\n", "line 2: language.package: input should be 'compact' or 'default'"),
        ("service: 3\n", "line 1: service: input should be a valid dictionary"),
        (
            "features:\n  x:\n    measure: bm99\n",
            "does not match any of the expected tags: 'about', 'aligned', ",
        ),
        ("features:\n  x: {}\n", "line 2: features.x: the key 'measure' is missing"),
        (
            "features:\n  x:\n    measure: tfidf\n    scope:\n      parts:\n      - title\n      - titel\n",
            "line 7: features.x.scope.parts.1: input should be 'title', 'creator', 'subject', 'description',",
        ),
        (
            "features:\n  x:\n    measure: tfidf\n    scop: {}\n",
            "line 4: features.x.scop: unknown key; allowed are: idf, measure, scope",
        ),
        (
            "features:\n  x: {measure: product, walk: nope, cosine: all_tfidf}\n",
            "line 2: features.x: no feature 'nope'; declared are: all_tfidf,",
        ),
        (
            "features:\n  x: {measure: strongest, of: {y: 1}}\n  y: {measure: strongest, of: {x: 1}}\n",
            "are made of each other",
        ),
        ("features:\n  ../x: {measure: tfidf}\n", "line 2: features.../x: string should match pattern"),
        (
            "systems:\n  x:\n    title: a\n    regressor: linear\n    features: [nope]\n",
            "line 5: systems.x.features: no feature 'nope'; declared are: all_tfidf,",
        ),
        (
            "systems:\n  x: {title: a, regressor: linear}\n",
            "line 2: systems.x: general has no feature: name some under 'features'",
        ),
        ("service:\n  system: nope\n", "line 2: service.system: no system 'nope'; declared are: kindred,"),
        (
            "ingest:\n  mapping: nope\n",
            "line 2: ingest.mapping: no mapping 'nope'; declared are: dublin-core,",
        ),
        (
            "mappings:\n  x:\n    id: {colum: a}\n",
            "line 3: mappings.x.id.0.colum: unknown key; allowed are: by_language, column,",
        ),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(file: Path, text: str, message: str) -> None:
    detail = refused(file, text)
    assert detail.startswith("own.yaml, line ")
    assert message in detail


def test_more_than_one_mistake_is_counted(file: Path) -> None:
    assert refused(file, "service:\n  port: 0\n  limit: 0\n").endswith("(1 more after it)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a\n", "own.yaml must be a mapping of sections"),
        ("a: [\n", "own.yaml is not valid YAML"),
        ("service:\n  port: 1\n  port: 2\n", "found duplicate key"),
    ],
)
def test_what_is_no_mapping_is_refused(file: Path, text: str, message: str) -> None:
    assert message in refused(file, text)


def test_a_file_that_is_not_there_is_named(file: Path) -> None:
    with pytest.raises(ConfigError, match=r"own\.yaml cannot be read"):
        load(file)


def test_a_file_that_is_no_text_is_named(file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"own\.yaml cannot be read"):
        load(file)


def test_variables_stand_over_the_files(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("service:\n  port: 9000\n  host: file\n", encoding="utf-8")
    monkeypatch.setenv(FILE_VARIABLE, str(file))
    monkeypatch.setenv("KINDRED_SERVICE__PORT", "9001")
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", "/elsewhere")
    monkeypatch.setenv("KINDRED_FEATURES__YEARS__K", "0.5")
    settings = load()
    assert (settings.service.port, settings.service.host) == (9001, "file")
    assert settings.state.catalogue == Path("/elsewhere/catalogue.sqlite")
    assert settings.features["years"].model_dump()["k"] == 0.5
    assert settings.features["years"].model_dump()["reading"] == "covered"


def test_empty_variables_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = load()
    monkeypatch.setenv(FILE_VARIABLE, "")
    monkeypatch.setenv("KINDRED_SERVICE__PORT", "")
    assert load() == expected


def test_a_section_may_be_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINDRED_SERVICE", '{"port": 9002}')
    assert load().service.port == 9002


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        (
            "KINDRED_SERVICE__PORT",
            "x",
            "KINDRED_SERVICE__PORT: service.port: input should be a valid integer",
        ),
        (
            "KINDRED_SERVICE__PROT",
            "1",
            "KINDRED_SERVICE__PROT: service.prot: unknown key; allowed are: address, also, body,",
        ),
        ("KINDRED_SERVICE__PORT__X", "1", "KINDRED_SERVICE__PORT__X: service.port: "),
        ("KINDRED_SERVICE__SYSTEM", "nope", "KINDRED_SERVICE__SYSTEM: service.system: no system 'nope'"),
        (
            "KINDRED_FEATURES__YEARS__READING",
            "x",
            "KINDRED_FEATURES__YEARS__READING: features.years.reading: ",
        ),
        (
            "KINDRED_SERVCE__PORT",
            "1",
            "KINDRED_SERVCE__PORT: unknown section 'servce'; allowed are: analysis,",
        ),
        ("KINDRED_SERVICE", "x", 'KINDRED_SERVICE: error parsing value for field "service"'),
        ("KINDRED_SERVICE__ALSO", "T0", "KINDRED_SERVICE__ALSO: error parsing"),
        ("KINDRED_MAPPINGS__A__TITLE", "[x", "KINDRED_MAPPINGS__A__TITLE: error parsing"),
    ],
)
def test_a_wrong_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, message: str
) -> None:
    monkeypatch.setenv("KINDRED_SERVICE__HOST", "127.0.0.2")  # nothing is wrong with this one
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError) as error:
        load()
    assert message in error.value.detail
    assert "KINDRED_" in error.value.detail


def test_variables_of_others_do_not_disturb(monkeypatch: pytest.MonkeyPatch) -> None:
    # a cluster sets such for a service that is called kindred
    monkeypatch.setenv("KINDRED_PORT", "tcp://10.0.0.1:8000")
    monkeypatch.setenv("KINDRED_SERVICE_PORT", "8000")
    assert load().service.port == 8000


def test_settings_are_checked_without_opening_anything_else() -> None:
    # the interpreter's own files aside: the two configurations are all that is read, no model, no WordNet
    code = (
        "import sys\n"
        "import service.settings, features.measures\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, of: opened.append(str(of[0])) if event == 'open' else None)\n"
        "service.settings.load()\n"
        "print(*{one.rpartition('/')[2] for one in opened if not one.endswith(('.py', '.pyc', '.so'))})\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert sorted(ended.stdout.split()) == ["config.yaml", "mappings.yaml", "research.yaml"]


def test_features_are_over_the_vectors_of_the_chosen_encoder(file: Path) -> None:
    file.write_text("sentences: {encoder: full}\n", encoding="utf-8")
    settings, usual = load(file), load()
    over = [name for name, feature in settings.features.items() if feature != usual.features[name]]
    assert over
    assert all("sentences" in settings.features[name].needs for name in over)
    assert not any("sentences" in feature.needs for feature in usual.features.values())
    # what is learnt with the one does for the other
    assert [settings.features[name].with_encoder("compact") for name in over] == [
        usual.features[name] for name in over
    ]
    assert (settings.models.encoder, usual.models.encoder) == ("full", "compact")


def test_a_feature_stands_behind_those_that_it_is_made_of_wherever_they_are_declared(file: Path) -> None:
    file.write_text(
        "features:\n  x: {measure: product, walk: y, cosine: all_tfidf}\n  y: {measure: tfidf}\n",
        encoding="utf-8",
    )
    for settings in (load(file), load()):
        seen = set[str]()
        for name, feature in settings.features.items():
            assert seen.issuperset(feature.made_of), name
            seen.add(name)
    assert "x" in load(file).features
