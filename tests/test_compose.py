"""compose.yaml: what the specification allows, and nothing that Kindred does not know."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from service.cli.root import app
from service.configuration import PREFIX
from service.search.engines.elastic.settings import cluster
from service.settings import Settings, load
from tests.yaml_text import yaml_of

ROOT = Path(__file__).parents[1]
FILE = ROOT / "compose.yaml"
COMPOSE: dict[str, Any] = yaml_of(FILE.read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]


def test_it_is_what_the_specification_allows() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(FILE)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_its_settings_are_those_of_kindred(monkeypatch: pytest.MonkeyPatch) -> None:
    for service in ("ingest", "service"):
        for name, value in SERVICES[service]["environment"].items():
            assert name.startswith(PREFIX) or name == "ELASTICSEARCH_PASSWORD"
            monkeypatch.setenv(name, value)
    settings = load()  # refuses a variable that is none of its settings
    assert isinstance(settings, Settings)
    assert settings.index.kind == "elasticsearch"
    assert cluster(settings).urls == ("http://elasticsearch:9200",)


def test_its_commands_are_those_of_kindred() -> None:
    commands = [shlex.split(part) for part in SERVICES["ingest"]["command"][-1].split("&&")]
    assert [words[:2] for words in commands] == [["kindred", name] for name in ("ingest", "build", "index")]
    for _, *words in commands:
        names = [word for word in words if word.isalpha()]
        shown = CliRunner().invoke(app, [*names, "--help"])
        assert shown.exit_code == 0, words
        assert " ".join(names) in shown.output.splitlines()[0]


def test_every_part_has_a_limit_and_says_whether_it_is_well() -> None:
    assert set(SERVICES) == {"elasticsearch", "ingest", "service"}
    for name, service in SERVICES.items():
        assert re.fullmatch(r"\d+g", service["mem_limit"]), name
        assert service["healthcheck"], name
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            assert source.startswith("./") or source in COMPOSE["volumes"], volume


def test_what_waits_waits_for_what_can_come() -> None:
    needs = SERVICES["service"]["depends_on"]
    assert needs["ingest"]["condition"] == "service_completed_successfully"
    assert SERVICES["ingest"]["restart"] == "no"
    for service in ("ingest", "service"):
        assert SERVICES[service]["depends_on"]["elasticsearch"]["condition"] == "service_healthy"


def test_the_container_is_asked_where_it_answers() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8")
    assert "EXPOSE 8000" in dockerfile
    assert "KINDRED_STATE__DIRECTORY=/state" in dockerfile
    assert "http://127.0.0.1:8000/health/ready" in SERVICES["service"]["healthcheck"]["test"][-1]
    assert "state:/state" in SERVICES["service"]["volumes"]


def test_no_password_stands_in_it() -> None:
    for service, name in (("elasticsearch", "ELASTIC_PASSWORD"), ("service", "ELASTICSEARCH_PASSWORD")):
        assert SERVICES[service]["environment"][name].startswith("${ELASTIC_PASSWORD:?")
