"""The OpenAPI description has an example for every operation; the reference made of it is up to date."""

import json
import re
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator

from scripts.answers import ADDRESS
from scripts.reference import made, markdown
from service.cli.root import main
from service.composition import open_provider
from service.search.cursors import decoded
from service.sections import StateSettings
from service.settings import load
from service.web.api.app import create_app
from service.web.api.openapi import operations
from service.web.api.schemas import YARD
from tests.documents import interface, sections, text

ANEW: Final = "run, with a state that has the sample built: python -m scripts.reference > docs/api.md"


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return interface()


def valid(content: dict[str, Any], components: dict[str, Any]) -> bool:
    """Whether the example of a body or an answer is one that its schema allows."""
    schema = {**content["schema"], "components": components}
    return bool(Draft202012Validator(schema).is_valid(content["example"]))


def exemplified(operation: dict[str, Any], components: dict[str, Any]) -> bool:
    """Whether an operation shows how it is asked and what it answers, by examples that its schemas allow."""
    bodies = [operation["requestBody"]] if "requestBody" in operation else []
    bodies += [answer for status, answer in operation["responses"].items() if status.startswith("2")]
    contents = [
        body["content"]["application/json"]
        for body in bodies
        if "application/json" in body.get("content", {})
    ]
    needed = [one for one in operation.get("parameters", []) if one.get("required")]
    shown = all(one.get("example") or one["schema"].get("examples") for one in needed)
    # what neither takes nor gives a document is asked by its parameters, or gives plain text
    plain = "text/plain" in operation["responses"].get("200", {}).get("content", {})
    return shown and all(valid(one, components) for one in contents) and bool(contents or needed or plain)


def test_every_operation_has_examples_that_are_valid(described: dict[str, Any]) -> None:
    every = dict(operations(described))
    assert every
    assert {name for name, one in every.items() if not exemplified(one, described["components"])} == set()


def test_an_example_that_its_schema_does_not_allow_is_found(described: dict[str, Any]) -> None:
    answer = {"schema": {"type": "integer"}, "example": "three"}
    operation = {"responses": {"200": {"content": {"application/json": answer}}}}
    assert not exemplified(operation, described["components"])
    assert exemplified(
        {"responses": {"200": {"content": {"application/json": {**answer, "example": 3}}}}}, {}
    )


def test_the_reference_is_up_to_date_with_what_the_service_answers(whole_sample: Path) -> None:
    """Every answer is compared to the letter, but for what two builds may give apart.

    These are the last digits of scores, which processors round apart, and in cursors the digest of all that
    a collection is built of.
    """
    now, written = apart(made(whole_sample)), apart(text("api.md"))
    assert now.words == written.words, ANEW
    assert now.numbers == pytest.approx(written.numbers, abs=0.002), ANEW


EXCHANGE: Final = re.compile(r"```sh\ncurl '([^']+)'\n```\n\n```json\n(.+?)\n```", re.DOTALL)
"""A question of a guide, and the answer that it shows."""


def test_the_guides_show_what_the_service_answers(sample: Path) -> None:
    settings = load().model_copy(update={"state": StateSettings(directory=sample)})
    guides = (text("using-the-api.md"), text("errors.md"))
    shown = [exchange for guide in guides for exchange in EXCHANGE.findall(guide)]
    assert len(shown) >= 3
    with TestClient(create_app(open_provider(settings), settings), ADDRESS) as client:
        for address, answer in shown:
            request = re.search(r'"request": "(\w+)"', answer)
            headers = {"X-Request-ID": request[1]} if request else {}
            assert client.get(address, headers=headers).json() == json.loads(answer), address


def test_the_sentence_of_an_error_is_what_the_command_says(
    sample: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (shown,) = re.findall(r"```\n(kindred: unknown-type: .+)\n```", text("errors.md"))
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(sample))
    monkeypatch.setattr("sys.argv", ["kindred", "similar", YARD, "--type", "foo"])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert capsys.readouterr().err.strip() == shown


class Apart(NamedTuple):
    words: str
    numbers: list[float]


def apart(page: str) -> Apart:
    """A page without the numbers that have a decimal point, and these numbers; cursors are read."""
    page = re.sub(r'"next": "([\w-]+)"', lambda cursor: f'"next": {_without_collection(cursor[1])}', page)
    numbers = re.findall(r"-?\d+\.\d+(?:e-?\d+)?", page)
    return Apart(re.sub(r"-?\d+\.\d+(?:e-?\d+)?", "#", page), [float(one) for one in numbers])


def _without_collection(cursor: str) -> str:
    place = decoded(cursor, object)
    return json.dumps({**place, "collection": ""} if isinstance(place, dict) else place)


def test_the_reference_holds_every_operation_parameter_and_key(described: dict[str, Any]) -> None:
    made = text("api.md")
    missing = set()
    for name, operation in operations(described):
        section = sections(made).get(f"`{name}`", "")
        wanted = [f"| `{one['name']}` |" for one in operation.get("parameters", [])]
        wanted += [f"- **{status}** " for status in operation["responses"]] + ["\ncurl "]
        missing |= {(name, one) for one in wanted if one not in section}
    for name, schema in described["components"]["schemas"].items():
        section = sections(made).get(name, "")
        missing |= {(name, key) for key in schema.get("properties", {}) if f"| `{key}` |" not in section}
        missing |= {(name, "")} if name not in sections(made) else set()
    assert missing == set()


def test_bars_in_a_description_do_not_break_a_table() -> None:
    schema = {
        "type": "object",
        "description": "A row.",
        "properties": {"a": {"type": "string", "description": "x|y"}},
    }
    document = {
        "info": {"description": ""},
        "tags": [],
        "paths": {},
        "components": {"schemas": {"Row": schema}},
    }
    assert "| `a` | string | x\\|y May be absent. |" in markdown(document, {})
