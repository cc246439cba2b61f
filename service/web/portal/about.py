"""What a page says of itself to search engines and where a link is shown: words, a picture, schema.org."""

from typing import Final, NamedTuple, TypeAlias

from features.text.dates.fields import dates_edtf
from ingest.record import Record, Value, innermost, web_address
from service.paths.views import PathView
from service.web.api.addresses import view_path
from service.web.portal.rendering import fitting

Thing: TypeAlias = dict[str, object]
_WORDS: Final = 300  # characters of a description
_PICTURE: Final = 1000  # pixels across

_KINDS: Final = {
    "painting": "VisualArtwork",
    "drawing": "VisualArtwork",
    "print": "VisualArtwork",
    "sculpture": "VisualArtwork",
    "photograph": "Photograph",
    "map": "Map",
    "book": "Book",
    "manuscript": "Manuscript",
    "poster": "Poster",
}
"""The types of schema.org for kinds of object, by a word of the kind; others are a ``CreativeWork``."""


class PageAbout(NamedTuple):
    """A page: its title, a description, its own address, a picture, and the thing in terms of schema.org."""

    title: str
    description: str
    address: str
    image: str | None
    thing: Thing


def about_item(record: Record, base: str) -> PageAbout:
    """What the page of an item says of itself."""
    address, image = f"{base}{view_path(record.id)}", fitting(record.image, _PICTURE)
    texts = [value.text for value in (*record.description, *record.creator, *record.date, *record.subject)]
    description = _shortened(texts[0] if record.description else "; ".join(texts))
    thing: Thing = {
        "@context": "https://schema.org",
        "@type": kind_of(record.type),
        "@id": address,
        "url": address,
        "name": record.label,
        "description": description,
        "image": image,
        "creator": _texts(record.creator),
        "dateCreated": dates_edtf(value.text for value in record.date),
        "keywords": _texts(record.subject),
        "artMedium": _texts(record.materials),
        "contentLocation": [innermost(value.text) for value in record.places],
        "isPartOf": _texts(record.part_of),
        "license": web_address(record.rights),
        "provider": record.provider and {"@type": "Organization", "name": record.provider},
        "sameAs": web_address(record.landing_page),
    }
    return PageAbout(record.label, description, address, image, _without_nothing(thing))


def about_path(view: PathView) -> PageAbout:
    """What the page of an exploration path says of itself."""
    content = view.path.content
    image = fitting(next((stop.image for stop in view.stops if stop.image), None), _PICTURE)
    description = _shortened(content.text or "; ".join(step.title for step in content.steps))
    parts: list[Thing] = [
        {
            "@type": "ListItem",
            "position": stop.place,
            "url": view.item(stop.step.item),
            "name": stop.step.title,
        }
        for stop in view.stops
        if stop.record is not None
    ]
    thing: Thing = {
        "@context": "https://schema.org",
        "@type": "ItemList",
        "@id": view.story,
        "url": view.story,
        "name": content.title,
        "description": description,
        "image": image,
        "author": content.curator and {"@type": "Person", "name": content.curator},
        "dateModified": view.path.changed,
        "numberOfItems": len(parts),
        "itemListElement": parts,
    }
    return PageAbout(content.title, description, view.story, image, _without_nothing(thing))


def kind_of(kind: str | None) -> str:
    """The type of schema.org for a kind of object.

    >>> kind_of("oil painting"), kind_of("Photographs"), kind_of("chair"), kind_of(None)
    ('VisualArtwork', 'Photograph', 'CreativeWork', 'CreativeWork')
    """
    words = (kind or "").casefold()
    return next((thing for word, thing in _KINDS.items() if word in words), "CreativeWork")


def _shortened(text: str) -> str:
    """The beginning of a text, up to a blank.

    >>> _shortened("Boats. " * 100)[-15:]
    ' Boats. Boats.…'
    """
    words = " ".join(text.split())
    return words if len(words) <= _WORDS else f"{words[:_WORDS].rpartition(' ')[0]}…"


def _texts(values: tuple[Value, ...]) -> list[str]:
    return [value.text for value in values]


def _without_nothing(node: Thing) -> Thing:
    return {name: content for name, content in node.items() if content}
