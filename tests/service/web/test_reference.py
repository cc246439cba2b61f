"""The OpenAPI description has an example for every operation; the reference made of it is up to date."""

import re
import shlex
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from service.web.api.document import markdown
from service.web.api.examples import operations
from tests.documents import sections, text
from tests.service.conftest import Server
from tests.test_docs import INTERFACE

OPERATIONS = list(operations(INTERFACE))


def valid(content: dict[str, Any]) -> bool:
    """Whether the example of a body or an answer is one that its schema allows."""
    schema = {**content["schema"], "components": INTERFACE["components"]}
    return bool(Draft202012Validator(schema).is_valid(content["example"]))


@pytest.mark.parametrize(("name", "operation"), OPERATIONS, ids=[name for name, _ in OPERATIONS])
def test_every_operation_has_examples_that_are_valid(name: str, operation: dict[str, Any]) -> None:
    bodies = [operation["requestBody"]] if "requestBody" in operation else []
    bodies += [answer for status, answer in operation["responses"].items() if status.startswith("2")]
    contents = [
        body["content"]["application/json"]
        for body in bodies
        if "application/json" in body.get("content", {})
    ]
    assert all(valid(content) for content in contents), name
    needed = [one for one in operation.get("parameters", []) if one.get("required")]
    assert all(one.get("example") or one["schema"].get("examples") for one in needed), name
    # what neither takes nor gives a document is asked by its parameters, or gives plain text
    plain = "text/plain" in operation["responses"].get("200", {}).get("content", {})
    assert contents or needed or plain, name


def test_the_reference_is_up_to_date() -> None:
    assert text("api.md") == markdown(INTERFACE), "run: python -m service.web.api.document > docs/api.md"


def test_the_reference_holds_every_operation_parameter_and_key() -> None:
    made = markdown(INTERFACE)
    for name, operation in OPERATIONS:
        assert f"## `{name}`" in made
        section = sections(made)[f"`{name}`"]
        assert all(f"| `{one['name']}` |" in section for one in operation.get("parameters", []))
        assert all(f"- **{status}** " in section for status in operation["responses"])
        assert "\ncurl " in section
    for name, schema in INTERFACE["components"]["schemas"].items():
        assert f"### {name}\n" in made
        assert all(f"| `{key}` |" in made for key in schema.get("properties", {}))


def examples(markdown: str) -> list[list[str]]:
    return [shlex.split(found) for found in re.findall(r"```sh\n(curl .*?)\n```", markdown, re.DOTALL)]


def test_calls_of_the_reference_are_what_they_say(server: Server) -> None:
    """What is asked without a key, and no document has to be sent for, is answered, and as documented."""
    asked = [one for one in examples(markdown(INTERFACE)) if len(one) == 2]
    replies = {call[1]: server.ask(call[1].removeprefix("http://127.0.0.1:8000")) for call in asked}
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
