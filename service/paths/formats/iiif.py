"""IIIF Presentation 3: a path as a Collection, each step as a Manifest that a viewer opens."""

import mimetypes
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from ingest.record import Field, Value, web_address
from service.languages.messages import field_name, gettext, spoken
from service.paths.views import PathView, StepView

_CONTEXT: Final = "http://iiif.io/api/presentation/3/context.json"
MEDIA_TYPE: Final = f'application/ld+json;profile="{_CONTEXT}"'

_SIDE: Final = 1000
"""The side of a canvas: nobody knows how large the pictures are, and a viewer fits them in."""


def collection(view: PathView) -> bytes:
    """The Collection: the steps as Manifests by reference, as the specification has it."""
    path = view.path
    document = {
        "@context": _CONTEXT,
        "id": view.export("iiif"),
        "type": "Collection",
        "label": _text(path.content.title),
        "summary": _text(path.content.text),
        "metadata": [_pair("Curator", _text(path.content.curator))] if path.content.curator else [],
        "homepage": [_page(view.story, path.content.title)],
        "seeAlso": [{"id": view.export("jsonld"), "type": "Dataset", "format": "application/ld+json"}],
        "items": [_reference(view, stop) for stop in view.stops],
    }
    return _encoded(document)


def manifest(view: PathView, stop: StepView) -> bytes:
    """The Manifest of a step: its picture on one canvas, which is empty where there is none."""
    address = _address(view, stop)
    canvas = f"{address}/canvas"
    painted = [_painted(canvas, stop.image)] if stop.image else []
    document = {
        "@context": _CONTEXT,
        "id": address,
        "type": "Manifest",
        "label": _text(stop.title),
        "summary": _text(stop.step.note),
        "metadata": _metadata(view, stop),
        "homepage": _homepage(view, stop),
        "partOf": [{"id": view.export("iiif"), "type": "Collection"}],
    }
    drawn = {
        "id": canvas,
        "type": "Canvas",
        "label": _text(stop.title),
        "height": _SIDE,
        "width": _SIDE,
        "items": painted,
    }
    return _encoded(document | {"items": [{key: value for key, value in drawn.items() if value}]})


def _address(view: PathView, stop: StepView) -> str:
    return f"{view.href}/manifests/{stop.place}"


def _reference(view: PathView, stop: StepView) -> dict[str, object]:
    reference: dict[str, object] = {
        "id": _address(view, stop),
        "type": "Manifest",
        "label": _text(stop.title),
        "summary": _text(stop.step.note),
        "metadata": _follows(view, stop),
        "thumbnail": [_image(stop.image)] if stop.image else [],
    }
    return {key: value for key, value in reference.items() if value}


def _painted(canvas: str, image: str) -> dict[str, object]:
    annotation = {
        "id": f"{canvas}/painting",
        "type": "Annotation",
        "motivation": "painting",
        "body": _image(image),
        "target": canvas,
    }
    return {"id": f"{canvas}/page", "type": "AnnotationPage", "items": [annotation]}


def _image(image: str) -> dict[str, object]:
    kind, _ = mimetypes.guess_type(image.partition("?")[0])
    known = {"format": kind} if kind and kind.startswith("image/") else {}
    return {"id": image, "type": "Image", **known}


def _metadata(view: PathView, stop: StepView) -> list[dict[str, object]]:
    if stop.record is None:
        return [*_follows(view, stop), _pair(gettext("Status"), _text(gettext("withdrawn"), spoken()))]
    fields = [(field.value, stop.record.field(field)) for field in Field if field is not Field.TITLE]
    pairs = [_pair(field_name(name), _values(values)) for name, values in fields if values]
    if stop.record.provider:
        pairs.append(_pair(field_name("provider"), _text(stop.record.provider)))
    return [*_follows(view, stop), *pairs]


def _follows(view: PathView, stop: StepView) -> list[dict[str, object]]:
    reason = ": ".join(filter(None, (view.heading(stop.step), stop.step.reason)))
    return [_pair(gettext("Follows the step before"), _text(reason, spoken()))] if reason else []


def _homepage(view: PathView, stop: StepView) -> list[dict[str, object]]:
    if stop.record is None:
        return []
    return [_page(web_address(stop.record.landing_page) or view.item(stop.step.item), stop.title)]


def _page(address: str, title: str) -> dict[str, object]:
    return {"id": address, "type": "Text", "label": _text(title), "format": "text/html"}


def _pair(label: str, value: Mapping[str, Sequence[str]]) -> dict[str, object]:
    return {"label": _text(label, spoken()), "value": value}


def _text(text: str, language: str = "none") -> dict[str, list[str]]:
    """A language map of one text; empty where there is none."""
    return {language: [text]} if text else {}


def _values(values: Sequence[Value]) -> dict[str, list[str]]:
    """A language map of some values."""
    texts: dict[str, list[str]] = {}
    for value in values:
        texts.setdefault(value.language or "none", []).append(value.text)
    return texts


def _encoded(document: Mapping[str, object]) -> bytes:
    # an empty list of items says that the path has no step; whatever else is empty is left out
    full = {key: value for key, value in document.items() if value or key == "items"}
    return msgspec.json.format(msgspec.json.encode(full))
