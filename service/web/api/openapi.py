"""The OpenAPI document of the service: FastAPI's, with our types, problems and examples."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from fastapi import FastAPI

from models.types import OFFICIAL, Types
from service.web.api.problems import Problem
from service.web.api.schemas import TYPE

Node: TypeAlias = Mapping[str, Any]  # a part of an OpenAPI document, which is whatever JSON holds
JSON: Final = "application/json"  # the media type of bodies and answers

# what stands for a value whose schema has neither an example nor a default
_PLAIN: Final = {"string": "text", "integer": 1, "number": 1.0, "boolean": False, "null": None}


class Application(FastAPI):
    """Documents the types that there are, and its own problems in place of FastAPI's errors."""

    def __init__(self, types: Types, **options: Any) -> None:  # noqa: ANN401 - as FastAPI's
        super().__init__(**options)
        self._types = types

    def openapi(self) -> dict[str, object]:
        """The OpenAPI document."""
        if self.openapi_schema is not None:
            return self.openapi_schema
        document = super().openapi()
        schemas = document["components"]["schemas"]
        _name_types(document)
        _without_empty_lists(document)
        schemas[TYPE] = {
            "type": "string",
            "enum": list(self._types),
            "description": "\n".join(f"{name}: {row.question}" for name, row in self._types.items()),
        }
        for answer in ("Scores", "Reasons"):
            value = schemas[answer].pop("additionalProperties")
            schemas[answer] |= {
                "properties": dict.fromkeys(self._types, value),
                "required": list(OFFICIAL),
                "additionalProperties": False,
            }
        schemas["Problem"] = Problem.model_json_schema()
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        for schema in schemas.values():
            schema["description"] = schema["description"].split("\n\n>>>")[0]
        _open_answers(document)
        _add_examples(document)
        return document


def _name_types(node: object) -> None:
    """Refer to the types that there are wherever a schema has the format of their names."""
    if isinstance(node, list):
        for part in node:
            _name_types(part)
    elif isinstance(node, dict):
        if node.get("format") == TYPE:
            node.pop("type", None)
            del node["format"]
            node["$ref"] = f"#/components/schemas/{TYPE}"
        for part in node.values():
            _name_types(part)


def _without_empty_lists(node: object) -> None:
    """Give no list as a default: what is absent means the same.

    Client generators write the empty list as the text "[]" where a text may stand as well, and send it.
    """
    if isinstance(node, list):
        for part in node:
            _without_empty_lists(part)
    elif isinstance(node, dict):
        if node.get("default") == []:
            del node["default"]
        for part in node.values():
            _without_empty_lists(part)


def _open_answers(document: dict[str, Any]) -> None:
    """Let answers have more keys than are declared, so that clients of today read those of tomorrow."""
    schemas = document["components"]["schemas"]
    sent = set[str]()
    waiting = [operation.get("requestBody", {}) for _, operation in operations(document)]
    while waiting:
        names = set(_REFERENCE.findall(json.dumps(waiting.pop()))) - sent
        sent |= names
        waiting += [schemas[name] for name in names]
    for name in schemas.keys() - sent:
        if schemas[name].get("additionalProperties") is False:
            del schemas[name]["additionalProperties"]


_REFERENCE: Final = re.compile(r'"#/components/schemas/([^"]+)"')


def _add_examples(document: dict[str, Any]) -> None:
    """Give every operation's body and answers an example, unless they have one of their own."""
    schemas = document["components"]["schemas"]
    for _, operation in operations(document):
        bodies = [operation.get("requestBody", {})]
        bodies += [answer for status, answer in operation["responses"].items() if status.startswith("2")]
        for body in bodies:
            content = body.get("content", {}).get(JSON)
            if content and content.get("schema") and "example" not in content and "examples" not in content:
                content["example"] = example(content["schema"], schemas)


def operations(document: Node) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each operation by its method and path, such as ``GET /items``."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield f"{method.upper()} {path}", operation


def example(schema: Node, schemas: Node) -> object:
    """An example of a schema: its own, or made from those of its parts.

    >>> parts = {"id": {"examples": ["a:1"]}, "next": {"anyOf": [{"type": "string"}, {"type": "null"}]}}
    >>> example({"$ref": "#/x/Item"}, {"Item": {"type": "object", "properties": parts}})
    {'id': 'a:1', 'next': None}
    """
    examples = schema.get("examples")
    if not examples:
        examples = [schema["example"]] if "example" in schema else schema.get("enum")
    if examples:
        return examples[0]
    if "const" in schema or "default" in schema:
        return schema.get("const", schema.get("default"))
    if "$ref" in schema:
        return example(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    choices = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if choices:
        likely = (
            one for one in choices if one.get("examples") or "$ref" in one or one.get("type") == "array"
        )
        nothing = next((one for one in choices if one.get("type") == "null"), choices[0])
        return example(next(likely, nothing), schemas)
    if schema.get("type") == "array":
        return [example(schema.get("items", {}), schemas)]
    if schema.get("type") == "object":
        return {name: example(one, schemas) for name, one in schema.get("properties", {}).items()}
    return _PLAIN.get(str(schema.get("type")))
