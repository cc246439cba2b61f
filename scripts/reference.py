"""The OpenAPI description as Markdown, with what the service answers to a call of each operation.

The answers are those of the sample collection::

    kindred ingest --sample && kindred build && python -m scripts.reference > docs/api.md
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from ingest.errors import CollectionMissing
from scripts.answers import Shown, answers
from service.search.recommender import Recommender
from service.settings import load
from service.web.api.app import create_app
from service.web.api.openapi import JSON, Node, operations
from service.web.api.problems import MEDIA_TYPE as PROBLEM

_HEAD: Final = """# The HTTP API

{description}

[Using the HTTP API](using-the-api.md) says what holds for every operation: ids, problems, limits, keys,
caches, the language of queries, filters and pages of neighbours. [errors.md](errors.md) has the codes of all
problems.

This page is made by `python -m scripts.reference > docs/api.md`, from the OpenAPI description and from what a
service with the sample collection answers. Times and the ends of the ids of paths stand for those of any day,
and `8 more` for the rest of a long list; a test keeps all else up to date.
"""


def markdown(document: Node, shown: Mapping[str, Shown]) -> str:
    """The description for people: every operation with its parameters, keys and answers, and a call of it."""
    lines = [_HEAD.format(description=document["info"]["description"])]
    tags = {one["name"]: one["description"] for one in document["tags"]}
    lines += [
        "| about | operations |",
        "| --- | --- |",
        *(f"| {meaning} | {_operations(document, tag)} |" for tag, meaning in tags.items()),
        "",
    ]
    for name, operation in operations(document):
        lines += _operation(name, operation, shown[name])
    lines += ["## Schemas", ""]
    for name, schema in sorted(document["components"]["schemas"].items()):
        lines += _schema(name, schema)
    return "\n".join(lines).rstrip() + "\n"


def _operations(document: Node, tag: str) -> str:
    names = [name for name, operation in operations(document) if tag in operation["tags"]]
    return ", ".join(f"[`{name}`](#{_anchor(name)})" for name in names)


def _anchor(head: str) -> str:
    return re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-")


def _operation(name: str, operation: Node, shown: Shown) -> Iterator[str]:
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
    yield from ("", "```sh", shown.call, "```", "")
    if shown.text:
        yield from ("```json", shown.text, "```", "")


def _answer(answer: Node) -> str:
    for media, content in answer.get("content", {}).items():
        if media == JSON:
            return f"{answer['description']}: {_kind(content['schema'])}"
        if media == PROBLEM:
            return f"{answer['description']}, as `{content['example']['type'].rpartition('/')[2]}`"
    return str(answer["description"])


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


def described() -> Node:
    """The OpenAPI description."""

    def nothing() -> Recommender:
        raise CollectionMissing("no collection is needed to describe the interface")

    return create_app(nothing, load()).openapi()


def made(state: Path) -> str:
    """The page, with answers from a state that has the sample built."""
    document = described()
    needs_key = {name: "403" in operation["responses"] for name, operation in operations(document)}
    return markdown(document, answers(state, needs_key))


if __name__ == "__main__":
    sys.stdout.write(made(load().state.directory))
