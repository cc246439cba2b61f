"""Examples for the OpenAPI description, made from those of the keys."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

Node: TypeAlias = Mapping[str, Any]  # a part of an OpenAPI document, which is whatever JSON holds

JSON: Final = "application/json"
"""The media type of bodies and answers."""

_PLAIN: Final[dict[str, object]] = {
    "string": "text",
    "integer": 1,
    "number": 1.0,
    "boolean": False,
    "null": None,
}
"""What stands for a value whose schema has neither an example nor a default."""


def add_examples(document: dict[str, Any]) -> None:
    """Give every operation's body and answers an example, made from those of their keys.

    An example that an operation has of its own stays.
    """
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
    for given in (
        schema.get("examples"),
        [schema["example"]] if "example" in schema else None,
        schema.get("enum"),
    ):
        if given:
            return given[0]
    if "const" in schema or "default" in schema:
        return schema.get("const", schema.get("default"))
    if "$ref" in schema:
        return example(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    return _made(schema, schemas)


def _made(schema: Node, schemas: Node) -> object:
    choices = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if choices:
        told = [one for one in choices if one.get("examples") or "$ref" in one or one.get("type") == "array"]
        nothing = next((one for one in choices if one.get("type") == "null"), choices[0])
        return example(told[0] if told else nothing, schemas)
    if schema.get("type") == "array":
        return [example(schema.get("items", {}), schemas)]
    if schema.get("type") == "object":
        return {name: example(one, schemas) for name, one in schema.get("properties", {}).items()}
    return _PLAIN.get(str(schema.get("type")))
