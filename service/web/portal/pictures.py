"""Pictures at the size that a page has room for."""

import re
from typing import Final

from ingest.record import web_address

CARD: Final = 240
"""Pixels across of a picture on a card, enough for a dense screen."""

WHOLE: Final = 1000
"""Pixels across of the picture of an item's own page."""

_IMAGE: Final = re.compile(
    r"(?P<service>https?://[^?#]+)/(?P<region>full|square|(?:pct:)?[\d.]+(?:,[\d.]+){3})"
    r"/(?P<size>full|max|\^?(?:max|pct:[\d.]+|!?\d*,\d*))/(?P<rest>!?[\d.]+/\w+\.\w+)"
)
"""An image request of the IIIF Image API, of any version."""

_INFO: Final = re.compile(r"(?P<service>https?://[^?#]+)/info\.json")


def fitting(address: str | None, width: int) -> str | None:
    """A picture's address; of an IIIF image that of one which is no wider than there is room for.

    An address that is not of the IIIF Image API stays as it is, and one that asks for less too.

    >>> fitting("https://a.example/iiif/1/full/full/0/default.jpg", 240)
    'https://a.example/iiif/1/full/240,/0/default.jpg'
    >>> fitting("https://a.example/iiif/1/info.json", 240)
    'https://a.example/iiif/1/full/240,/0/default.jpg'
    >>> fitting("https://a.example/iiif/1/full/!200,200/0/default.jpg", 240)
    'https://a.example/iiif/1/full/!200,200/0/default.jpg'
    >>> fitting("https://a.example/1.jpg", 240), fitting("javascript:alert(1)", 240)
    ('https://a.example/1.jpg', None)
    """
    found = web_address(address)
    if found is None:
        return None
    if info := _INFO.fullmatch(found):
        return f"{info['service']}/full/{width},/0/default.jpg"
    image = _IMAGE.fullmatch(found)
    if image is None or not _is_larger(image["size"], width):
        return found
    return f"{image['service']}/{image['region']}/{width},/{image['rest']}"


def _is_larger(size: str, width: int) -> bool:
    """Whether a size asks for more than a width, or for all that there is."""
    if "max" in size or size == "full":
        return True
    across = size.strip("^!").partition(",")[0]
    return across.isdecimal() and int(across) > width
