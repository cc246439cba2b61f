"""The OpenAPI description as Markdown.

python -m service.api.document > docs/api-reference.md
"""

import json
import sys
from collections.abc import Iterator

from ingest.errors import CollectionMissing
from service.api.app import create_app
from service.api.examples import JSON, Node, operations
from service.recommender import Recommender
from service.settings import load


def markdown(document: Node) -> str:
    """The description for people: every operation with its parameters, keys, answers and an example."""
    lines = [
        "# Reference of the HTTP API",
        "",
        "Made from the OpenAPI description by `python -m service.api.document`; a test keeps it up to date.",
        "[api.md](api.md) explains how to use the interface: ids, problems, limits, filters and pages.",
        "",
    ]
    for name, operation in operations(document):
        lines += _operation(name, operation)
    lines += ["## Schemas", ""]
    for name, schema in sorted(document["components"]["schemas"].items()):
        lines += _schema(name, schema)
    return "\n".join(lines).rstrip() + "\n"


def _operation(name: str, operation: Node) -> Iterator[str]:
    yield from (
        f"## `{name}`",
        "",
        f"{operation['summary']}. {_line(operation.get('description', ''))}".rstrip(),
        "",
    )
    if parameters := operation.get("parameters"):
        yield from ("| parameter | in | kind | meaning |", "| --- | --- | --- | --- |")
        for one in parameters:
            required = " Required." if one.get("required") else ""
            meaning = f"{_line(one.get('description', ''))}{required}"
            yield f"| `{one['name']}` | {one['in']} | {_kind(one['schema'])} | {_cell(meaning)} |"
        yield ""
    if body := operation.get("requestBody", {}).get("content", {}).get(JSON):
        yield from (f"The body is {_kind(body['schema'])}:", "", *_shown(body))
    for status, answer in operation["responses"].items():
        content = answer.get("content", {}).get(JSON)
        yield f"- **{status}** {answer['description']}" + (f": {_kind(content['schema'])}" if content else "")
    yield ""
    for status, answer in operation["responses"].items():
        content = answer.get("content", {}).get(JSON, {})
        if status.startswith("2") and "example" in content:
            yield from _shown(content)
            break


def _shown(content: Node) -> list[str]:
    if "example" not in content:
        return []
    return ["```json", json.dumps(content["example"], ensure_ascii=False, indent=2), "```", ""]


def _schema(name: str, schema: Node) -> Iterator[str]:
    yield from (f"### {name}", "", _line(schema.get("description", "")), "")
    if properties := schema.get("properties"):
        required = set(schema.get("required", ()))
        yield from ("| key | kind | meaning |", "| --- | --- | --- |")
        for key, one in properties.items():
            optional = "" if key in required else " May be absent."
            yield f"| `{key}` | {_kind(one)} | {_cell(_line(one.get('description', '')) + optional)} |"
        yield ""
    elif values := schema.get("enum"):
        yield from (", ".join(f"`{value}`" for value in values), "")


def _kind(schema: Node) -> str:
    """The kind of value in a few words, with its bounds."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    choices = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if choices:
        return " or ".join(dict.fromkeys(_kind(one) for one in choices))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    bounds = [
        f"{word} {schema[key]:g}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in schema
    ]
    return " ".join([str(schema.get("type", "value")), *bounds])


def _line(text: str) -> str:
    return " ".join(text.split())


def _cell(text: str) -> str:
    return text.strip().replace("|", "\\|")


def _main() -> None:
    def nothing() -> Recommender:
        raise CollectionMissing("no collection is needed to describe the interface")

    sys.stdout.write(markdown(create_app(nothing, load()).openapi()))


if __name__ == "__main__":
    _main()
