"""Emblems: plain drawings where an item has no picture, by its kind, its place and its century."""

import hashlib

from fastapi import APIRouter, Response

from features.profiles.profile import Profile
from ingest.record import Field, Record, innermost
from service.explain.closeness import century_words
from service.languages.messages import gettext
from service.web.api.caching import REVALIDATED_PAGE
from service.web.api.dependencies import ItemId, Now
from service.web.portal.rendering import render

router = APIRouter(include_in_schema=False)


@router.get("/view/emblems/{id}", dependencies=REVALIDATED_PAGE)
def view_emblem(id: ItemId, now: Now) -> Response:
    """The emblem of an item."""
    row = now.collection.row(id)
    drawn = emblem(now.collection.record(row), now.collection.profile(row))
    return Response(drawn, media_type="image/svg+xml")


def emblem(record: Record, profile: Profile) -> str:
    """The emblem of an item as SVG."""
    kind, century = _plain(record.type or gettext("item")), _century(profile)
    place = _plain(innermost(record.places[0].text)) if record.places else ""
    words = [kind, *([place] if place else []), *([century_words(century)] if century else [])]
    return render(
        "emblem.svg",
        kind=kind.casefold(),
        words=words,
        label=gettext("Emblem, not a picture of the item: {words}").format(words=", ".join(words)),
        hue=int(hashlib.sha256((place or kind).casefold().encode()).hexdigest()[:4], 16) % 360,
        bands=max(0, min((century or 0) - 10, 11)),
    )


def _plain(text: str) -> str:
    """A text without what no XML may hold."""
    return "".join(character for character in text if character.isprintable()).strip()


def _century(profile: Profile) -> int | None:
    """The century after Christ of the first year that the item's own date names; None for none."""
    years = [
        period.first
        for value in profile.values
        if value.part == Field.DATE
        for period in value.periods
        if period.first > 0
    ]
    return (min(years) - 1) // 100 + 1 if years else None
