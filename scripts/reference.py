"""The OpenAPI description as Markdown.

python -m scripts.reference > docs/api.md
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from ingest.errors import CollectionMissing
from service.search.recommender import Recommender
from service.settings import load
from service.web.api.app import create_app
from service.web.api.openapi import JSON, Node, example, operations
from service.web.api.problems import MEDIA_TYPE as PROBLEM

_ADDRESS: Final = "http://127.0.0.1:8000"

_HEAD: Final = """# The HTTP API

{description}

[Using the HTTP API](using-the-api.md) says what holds for every operation: ids, problems, limits, keys,
caches, the language of queries, filters and pages of neighbours. [errors.md](errors.md) has the codes of all
problems.

This page is made from the OpenAPI description by `python -m scripts.reference > docs/api.md`;
a test keeps it up to date.
"""


def markdown(document: Node) -> str:
    """The description for people: every operation with its parameters, keys, answers and an example."""
    lines = [_HEAD.format(description=document["info"]["description"])]
    tags = {one["name"]: one["description"] for one in document["tags"]}
    lines += [
        "| about | operations |",
        "| --- | --- |",
        *(f"| {meaning} | {_operations(document, tag)} |" for tag, meaning in tags.items()),
        "",
    ]
    for name, operation in operations(document):
        lines += _operation(name, operation)
    lines += ["## Schemas", ""]
    for name, schema in sorted(document["components"]["schemas"].items()):
        lines += _schema(name, schema)
    return "\n".join(lines).rstrip() + "\n"


def _operations(document: Node, tag: str) -> str:
    names = [name for name, operation in operations(document) if tag in operation["tags"]]
    return ", ".join(f"[`{name}`](#{_anchor(name)})" for name in names)


def _anchor(head: str) -> str:
    return re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-")


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
    body = operation.get("requestBody", {}).get("content", {})
    if JSON in body:
        yield from (f"The body is {_kind(body[JSON]['schema'])}.", "")
    for status, answer in operation["responses"].items():
        yield f"- **{status}** {_answer(answer)}"
    yield from ("", "```sh", _call(name, operation), "```", "")
    for status, answer in operation["responses"].items():
        content = answer.get("content", {}).get(JSON, {})
        if status.startswith("2") and "example" in content:
            yield from _shown(content)
            break


def _answer(answer: Node) -> str:
    for media, content in answer.get("content", {}).items():
        if media == JSON:
            return f"{answer['description']}: {_kind(content['schema'])}"
        if media == PROBLEM:
            return f"{answer['description']}, as `{content['example']['type'].rpartition('/')[2]}`"
    return str(answer["description"])


def _call(name: str, operation: Node) -> str:
    """How curl asks, with the examples of what is needed."""
    method, _, address = name.partition(" ")
    query, headers = [], []
    for one in operation.get("parameters", ()):
        is_list = one["schema"].get("type") == "array"
        is_needed = one.get("required") or (one["name"] in _SHOWN_ANYWAY and not is_list)
        if one["in"] == "query" and not is_needed:
            continue
        example = str(_example(one))
        if one["in"] == "path":
            address = address.replace(f"{{{one['name']}}}", quote(example, safe=""))
        elif one["in"] == "header":
            headers.append(f"-H '{one['name'].title()}: {example}'")
        else:
            query.append(f"{one['name']}={quote(example, safe='')}")
    body = operation.get("requestBody", {}).get("content", {})
    if "403" in operation["responses"]:
        headers.append('-H "Authorization: Bearer $KEY"')
    if body:
        headers.append(f"-H 'Content-Type: {next(iter(body))}'")
    if "example" in body.get(JSON, {}):
        # what a shell would take for the end of the text
        given = json.dumps(body[JSON]["example"], ensure_ascii=False).replace("'", "'\\''")
        headers.append(f"-d '{given}'")
    elif body:
        headers.append("--data-binary @FILE")
    option = "" if method == "GET" else f"-X {method} "
    parameters = f"?{'&'.join(query)}" if query else ""
    return " \\\n  ".join([f"curl {option}'{_ADDRESS}{address}{parameters}'", *headers])


_SHOWN_ANYWAY: Final = frozenset({"q", "type"})
"""Parameters that a call shows though it could do without them."""


def _example(parameter: Node) -> object:
    return parameter.get("example") or example(parameter["schema"], {})


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
