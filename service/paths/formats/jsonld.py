"""JSON-LD: a schema.org ItemList with Dublin Core terms, out and in."""

from collections.abc import Mapping
from typing import Final

import msgspec
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ingest.errors import UnreadableFile
from ingest.record import Record, web_address
from service.paths.model import Content, StoredStep
from service.paths.views import PathView, StepView

_CONTEXT: Final = {
    "@vocab": "https://schema.org/",
    "dcterms": "http://purl.org/dc/terms/",
    "kindred": "urn:kindred:path:",
    "image": {"@type": "@id"},
    "url": {"@type": "@id"},
    "itemListOrder": {"@type": "@id"},
    "itemListElement": {"@container": "@list"},
}
_ASCENDING: Final = "https://schema.org/ItemListOrderAscending"

_FIELDS: Final = ("title", "creator", "subject", "description", "date", "source")


def write(view: PathView) -> bytes:
    """The path as an ItemList; each item with its Dublin Core fields, a withdrawn one with its title."""
    path, curator = view.path, view.path.content.curator
    document = {
        "@context": _CONTEXT,
        "@type": "ItemList",
        "@id": view.story,
        "url": view.story,
        "identifier": path.id,
        "version": path.version,
        "name": path.content.title,
        "description": path.content.text,
        "author": {"@type": "Person", "name": curator} if curator else None,
        "dateModified": path.changed,
        "dcterms:title": path.content.title,
        "dcterms:description": path.content.text,
        "dcterms:creator": curator,
        "dcterms:modified": path.changed,
        "numberOfItems": len(view.stops),
        "itemListOrder": _ASCENDING,
    }
    elements = [_element(view, stop) for stop in view.stops]
    return msgspec.json.format(msgspec.json.encode(_full(document) | {"itemListElement": elements}))


def _full(document: Mapping[str, object]) -> dict[str, object]:
    """Without what is empty."""
    return {key: value for key, value in document.items() if value not in ("", None, [])}


def _element(view: PathView, stop: StepView) -> dict[str, object]:
    return _full(
        {
            "@type": "ListItem",
            "position": stop.place,
            "description": stop.step.note,
            "kindred:type": stop.step.type,
            "kindred:reason": stop.step.reason,
            "item": _item(view, stop),
        }
    )


def _item(view: PathView, stop: StepView) -> dict[str, object]:
    item: dict[str, object] = {
        "@type": "CreativeWork",
        "@id": view.item(stop.step.item),
        "identifier": stop.step.item,
        "name": stop.title,
    }
    if stop.record is None:
        return item | {"creativeWorkStatus": "withdrawn"}
    record = stop.record
    more = {
        "image": stop.image,
        "url": web_address(record.landing_page),
        "dcterms:type": record.type,
        "dcterms:publisher": record.provider,
        "dcterms:spatial": [value.text for value in record.places],
        **{f"dcterms:{name}": _texts(record, name) for name in _FIELDS},
    }
    return item | _full(more)


def _texts(record: Record, name: str) -> list[object]:
    return [
        value.text if value.language is None else {"@value": value.text, "@language": value.language}
        for value in getattr(record, name)
    ]


class _Given(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class _Item(_Given):
    identifier: str = Field(min_length=1)
    name: str = ""


class _Element(_Given):
    item: _Item
    description: str = ""
    type: str | None = Field(None, alias="kindred:type")
    reason: str = Field("", alias="kindred:reason")


class _Author(_Given):
    name: str = ""


class _List(_Given):
    name: str
    description: str = ""
    author: _Author = _Author()
    elements: list[_Element] = Field(alias="itemListElement")


def read(data: bytes) -> Content:
    """The path of an ItemList whose items have an identifier; what else it says is left out.

    Raises ``UnreadableFile``.
    """
    try:
        document = _List.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the document"
        raise UnreadableFile(
            f"this is no ItemList whose items have an identifier: {where}: {first['msg']}"
        ) from None
    steps = tuple(
        StoredStep(
            item=one.item.identifier,
            title=one.item.name,
            note=one.description,
            type=one.type,
            reason=one.reason,
        )
        for one in document.elements
    )
    return Content(title=document.name, text=document.description, curator=document.author.name, steps=steps)
