"""What may name an item, and where its picture and its page may lie."""

from urllib.parse import urlsplit

from msgspec.structs import replace

from ingest.record import Record


def objection(item: str) -> str | None:
    """Why a text cannot be the id of an item; None where it can.

    An id stands in paths: ``.`` and ``..`` are taken out of these by browsers. A control character cannot be
    seen, and U+FFFD stands where bytes were no UTF-8, so that two such ids could be meant by one.

    >>> objection("tna:Photo 447/1(27)") is None
    True
    >>> objection("..")
    "the id '..' is a step in a path; name the item otherwise"
    >>> objection("a" + chr(0))
    "the id 'a\\\\x00' holds a control character"
    """
    if not item.strip():
        return "the id is empty"
    if item in (".", ".."):
        return f"the id {item!r} is a step in a path; name the item otherwise"
    if "\ufffd" in item:
        return f"the id {item!r} holds U+FFFD, which stands for bytes that are no UTF-8"
    if any(ord(character) < 32 or 127 <= ord(character) < 160 for character in item):
        return f"the id {item!r} holds a control character"
    return None


def web_address(text: str | None) -> str | None:
    """An address that may stand in a page as a link or a picture; None for any other text.

    >>> web_address("https://museum.example/1.jpg")
    'https://museum.example/1.jpg'
    >>> web_address("javascript:alert(1)") is None
    True
    """
    try:
        parts = urlsplit((text or "").strip())
    except ValueError:
        return None
    return parts.geturl() if parts.scheme in ("http", "https") and parts.netloc else None


def without_other_addresses(record: Record) -> tuple[Record, int]:
    """The record without a picture and a page that are no web addresses, and how many these were.

    >>> record, dropped = without_other_addresses(Record(id="a", image="data:,x", landing_page="http://a.example/"))
    >>> record.image, record.landing_page, dropped
    (None, 'http://a.example/', 1)
    """
    others = {
        name: None
        for name in ("image", "landing_page")
        if (given := getattr(record, name)) and given.strip() and web_address(given) is None
    }
    return (replace(record, **others), len(others)) if others else (record, 0)
