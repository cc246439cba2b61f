"""An exploration path: items in an order, each with a note and the way in which it follows the last."""

import re
import secrets
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from ingest.errors import DamagedArtefact, InvalidRequest
from models.official import SimilarityType

MOST_VERSIONS: Final = 1_000_000_000  # beyond any number of versions, and within what SQLite holds
MOST_STEPS: Final = 200  # the most steps of one path

LONGEST_TITLE: Final = 300
LONGEST_TEXT: Final = 20_000  # the most characters of a title or a name, and of a text or a note

_LONGEST_NAME: Final = 48


class StoredStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One item of a path.

    ``title`` is what the item was called when it was added: it is shown where the item is withdrawn.
    ``type`` is the way in which it follows the step before, and ``reason`` says why in a sentence; a first
    step, and one that follows in no way that has a name, has no type.
    """

    item: str
    title: str
    note: str = ""
    type: SimilarityType | None = None
    reason: str = ""


class Content(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a curator writes of a path; ``curator`` is the name that visitors read.

    >>> Content(title="Venice", steps=tuple(StoredStep(item=one, title=one) for one in "ab")).items
    ('a', 'b')
    """

    title: str
    text: str = ""
    curator: str = ""
    steps: tuple[StoredStep, ...] = ()

    @property
    def items(self) -> tuple[str, ...]:
        """The ids of the steps, in their order."""
        return tuple(step.item for step in self.steps)


class Signature(msgspec.Struct, frozen=True):
    """Who made a version: the name of the key that was used, and the name that was given with the change.

    At the command line there is no key. What is given is not checked: a key may serve several people.

    >>> Signature("portal", "Ada").shown, Signature("portal").shown, Signature().shown
    ('Ada', 'portal', 'somebody')
    """

    key: str = ""
    name: str = ""

    @property
    def shown(self) -> str:
        """The one name for a sentence."""
        return self.name or self.key or "somebody"


class Fork(msgspec.Struct, frozen=True):
    """The path, and its version, that another path was made from."""

    path: str
    version: int


class ExplorationPath(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a path.

    ``content_of`` is the version in which this content was written: an undo and a publication make a version
    of older content. ``published`` is the version that visitors see, None where they see none.
    ``by`` made this version, at ``changed`` (UTC, RFC 3339), and ``action`` says by what.
    """

    id: str
    version: int
    content: Content
    changed: str
    by: Signature
    action: str
    content_of: int
    published: int | None = None
    fork_of: Fork | None = None

    @property
    def is_published(self) -> bool:
        """Whether visitors see some version of the path."""
        return self.published is not None

    @property
    def has_unpublished_changes(self) -> bool:
        """Whether it was changed since the version that visitors see."""
        return self.published is not None and self.published != self.version

    @property
    def status(self) -> Literal["draft", "published", "changed"]:
        """Whether visitors see the path, and as it is."""
        if not self.is_published:
            return "draft"
        return "changed" if self.has_unpublished_changes else "published"

    @property
    def href(self) -> str:
        """Where the API has the path, below the address of the service."""
        return f"/paths/{self.id}"

    @property
    def view(self) -> str:
        """Where its page is."""
        return f"/view/paths/{self.id}"

    def summary(self) -> dict[str, str | int]:
        """The path in short, as it is answered in a list of paths."""
        return {
            "id": self.id,
            "version": self.version,
            "title": self.content.title,
            "text": self.content.text,
            "curator": self.content.curator,
            "status": self.status,
            "changed": self.changed,
            "length": len(self.content.steps),
            "href": self.href,
            "view": self.view,
        }


def check(content: Content) -> Content:
    """The content as it is; raises ``InvalidRequest`` for what no path can be."""
    if not content.title.strip():
        raise InvalidRequest("a path needs a title")
    _check_length("title", content.title, LONGEST_TITLE)
    _check_length("curator's name", content.curator, LONGEST_TITLE)
    _check_length("text", content.text, LONGEST_TEXT)
    if len(content.steps) > MOST_STEPS:
        raise InvalidRequest(f"a path has at most {MOST_STEPS} steps, not {len(content.steps)}")
    item, number = next(iter(Counter(content.items).most_common(1)), ("", 0))
    if number > 1:
        raise InvalidRequest(f"the item {item!r} stands {number} times in the path; name it once")
    for step in content.steps:
        _check_length(f"note of {step.item!r}", step.note, LONGEST_TEXT)
        _check_length(f"reason of {step.item!r}", step.reason, LONGEST_TEXT)
    return content


def _check_length(what: str, text: str, most: int) -> None:
    if len(text) > most:
        raise InvalidRequest(f"the {what} has {len(text):,} characters, the most are {most:,}; shorten it")


def new_id(title: str) -> str:
    """An id for a new path: words of its title, and a number that no other path has.

    It stays when the title changes, so that addresses stay.

    >>> re.sub("[0-9a-f]{8}$", "...", new_id("Canalettos Städte, 1740"))
    'canalettos-stadte-1740-...'
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().casefold()
    words = re.findall(r"[a-z0-9]+", plain)
    name = "-".join(words)[:_LONGEST_NAME].strip("-")
    return f"{name or 'path'}-{secrets.token_hex(4)}"


def moved(steps: Sequence[StoredStep], place: int, by: int) -> tuple[StoredStep, ...]:
    """The steps with one moved; at either end it stays where it is.

    >>> [step.item for step in moved([StoredStep(item=one, title=one) for one in "abc"], 2, -1)]
    ['a', 'c', 'b']
    """
    order = list(steps)
    order.insert(min(max(place + by, 0), len(order) - 1), order.pop(place))
    return tuple(order)


def encode(content: Content) -> bytes:
    """A content as JSON bytes, for the store."""
    return msgspec.json.encode(content)


def decode(data: bytes) -> Content:
    """The inverse of :func:`encode`; raises ``DamagedArtefact``.

    >>> one = Content(title="Venice", steps=(StoredStep(item="a", title="A", type="time"),))
    >>> decode(encode(one)) == one
    True
    """
    try:
        return msgspec.json.decode(data, type=Content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedArtefact(
            f"a stored path cannot be read ({error}); take paths.sqlite from a copy of the state"
        ) from error
