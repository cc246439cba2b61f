"""The OpenAPI description has an example for every operation; the reference made of it is up to date."""

import re
import shlex
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from scripts.reference import markdown
from service.web.api.openapi import operations
from tests.documents import interface, sections, text
from tests.service.conftest import Server


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


def test_the_reference_is_up_to_date(described: dict[str, Any]) -> None:
    assert text("api.md") == markdown(described), "run: python -m scripts.reference > docs/api.md"


def test_the_reference_holds_every_operation_parameter_and_key(described: dict[str, Any]) -> None:
    made = markdown(described)
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


def examples(markdown: str) -> list[list[str]]:
    return [shlex.split(call) for call in re.findall(r"```sh\n(curl .*?)\n```", markdown, re.DOTALL)]


def test_calls_of_the_reference_are_what_they_say(server: Server, described: dict[str, Any]) -> None:
    """What is asked without a key, and no document has to be sent for, is answered, and as documented."""
    calls = [one for one in examples(markdown(described)) if len(one) == 2]
    replies = {call[1]: server.ask(call[1].removeprefix("http://127.0.0.1:8000")) for call in calls}
    assert len(replies) > 10
    # the sample of the tests lacks the items that most examples name
    assert {reply.status for reply in replies.values()} <= {200, 404}
    assert replies["http://127.0.0.1:8000/items?q=venice%20canal"].status == 200


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
    assert "| `a` | string | x\\|y May be absent. |" in markdown(document)
