"""What readers wrote down of single records, as numbers to learn from.

Of each record the readers' facts tell whether it has anything of each category: presence (``people``,
``people/shown``, ``event``, ``place``, ``place/shown``, ``maker``), kinds of people (``kinds/women``) and
groups of events (``events/war``). People who only owned, gave or sold a thing are none, and a mere sitting
for a portrait is no event.
"""

import gzip
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import numpy as np

from features.arrays import Bools, Rows
from ingest.errors import UnreadableFile
from ingest.record import Field, Record, values

FACTS: Final = Path("data/facts/facts.jsonl.gz")
"""Where the readers' facts stand in the shared folder."""

DIVISIONS: Final = 4
"""Into how many divisions of whole collections the records are dealt out."""

_KINDS: Final[dict[str, str]] = {
    "children": r"child|boy|girl|infant|bab(?:y|ies)|putt|cherub|toddler|son\b|daughter|pupil",
    "deities": r"god|deit|goddess|buddha|bodhisattva|spirit|ancestor|nymph|satyr|demon|myth|venus|muse"
    r"|hero|personification|allegor|legend",
    "saints": r"saint|angel|christ|virgin|madonna|biblical|apostle|prophet|martyr|evangelist|patriarch|imam",
    "clergy": r"priest|monk|nun\b|bishop|pope|clergy|minister|abbot|cardinal|missionar|friar|rabbi|preacher",
    "rulers": r"king|queen|emperor|empress|ruler|prince|pharaoh|sultan|duke|duchess|noble|lord|count|shogun"
    r"|president|politic|governor|statesm|doge|shah|tsar|courtier|dictator|chief",
    "soldiers": r"soldier|general|officer|warrior|knight|military|sailor|captain|admiral|samurai|archer"
    r"|cavalry",
    "workers": r"work|farm|peasant|servant|craft|smith|fish|labou?r|merchant|vendor|cook|driver|slave|potter"
    r"|weaver|shepherd|reaper|miner|maid|nurse|market|carpenter|builder|hunter|trader|planter",
    "performers": r"danc|music|sing|act(?:or|ress)|player|perform|circus|clown|kabuki|drumm|piper",
    "athletes": r"athlet|boxer|ball ?player|footballer|wrestl|rider|jockey|team|runner|swimm",
    "scholars": r"artist|painter|writer|poet|author|scholar|scien|architect|photographer|philosoph|teacher"
    r"|doctor|physician|sculptor|composer|historian|novelist|lawyer|judge|journalist|explorer",
    "peoples": r"native|indian|indigenous|trib|maroon|african|chinese|japanese|surinam|egyptian|persian"
    r"|cherokee",
    "family": r"mother|father|family|wife|husband|couple|bride|groom|lover|parent|sister|brother|widow",
}
"""Kinds of people by the words that readers have for them."""

_EVENTS: Final = (
    "advertising", "ceremony", "daily life", "death", "disaster", "family", "hunt", "love", "music and dance",
    "myth or story", "nature", "politics", "religion", "ritual", "science", "sport", "theatre", "trade",
    "travel", "war", "work",
)  # fmt: skip
"""Groups of events: those of the readers' guide but for portraits."""

PRESENCE: Final = ("event", "maker", "people", "people/shown", "place", "place/shown")
"""The categories that say whether there is anything of a kind at all."""

CATEGORIES: Final = (
    *PRESENCE,
    *(f"events/{group}" for group in (*_EVENTS, "portrait")),
    *(f"kinds/{kind}" for kind in (*_KINDS, "women", "men", "named", "many")),
)
"""All categories, in the order of their columns."""


TAGS: Final = ("none", "shown", "concerned", "owner", "maker", "place made", "other place", "event")
"""What a word may be part of, as readers say: the first is nothing."""

_OF_ROLE: Final = {"shown": 1, "concerned": 2, "owner": 3}
_MAKER, _PLACE_MADE, _OTHER_PLACE, _EVENT = range(4, len(TAGS))


class PersonFact(msgspec.Struct):
    """Somebody: the words that say so, role, kind, name, number and sex."""

    text: str = ""
    role: str = ""
    kind: str = ""
    name: str = ""
    number: str = ""
    sex: str = ""


class MakerFact(msgspec.Struct):
    """A maker: the words that say so, the name, and the people, nation or school."""

    text: str = ""
    name: str = ""
    group: str = ""


class PlaceFact(msgspec.Struct):
    """A place: the words that say so, the role, and its name with what it lies in, from narrow to wide."""

    text: str = ""
    role: str = ""
    path: list[str] = []


class EventFact(msgspec.Struct):
    """An event: the words that say so, and its group."""

    text: str = ""
    group: str = ""


class FactLine(msgspec.Struct):
    """What one reader wrote down of one record, with the fields as they were read.

    ``about`` are one to four plain phrases of what it shows or is about.
    """

    collection: str
    id: str
    fields: dict[str, str]
    people: list[PersonFact] = []
    makers: list[MakerFact] = []
    places: list[PlaceFact] = []
    events: list[EventFact] = []
    about: list[str] = []


class TaggedText(NamedTuple):
    """Words of a record as they stand there, and the number of what they are among :data:`TAGS`."""

    text: str
    tag: int


class ReadRecords(NamedTuple):
    """Records that were read: of which collections, and what they have, bool[records, categories].

    ``tagged`` has the words of each that say so, None where they were not written down.
    """

    collections: tuple[str, ...]
    records: tuple[Record, ...]
    has: Bools
    tagged: tuple[tuple[TaggedText, ...] | None, ...]

    def some(self, rows: Rows) -> "ReadRecords":
        """Those of some rows."""
        chosen = rows.tolist()
        return ReadRecords(
            tuple(self.collections[row] for row in chosen),
            tuple(self.records[row] for row in chosen),
            self.has[rows],
            tuple(self.tagged[row] for row in chosen),
        )


def joined(one: ReadRecords, other: ReadRecords) -> ReadRecords:
    """The records of both."""
    return ReadRecords(
        one.collections + other.collections,
        one.records + other.records,
        np.vstack([one.has, other.has]),
        one.tagged + other.tagged,
    )


def fact_lines(shared: Path) -> list[FactLine]:
    """What readers wrote down, in the order of ``data/facts``; raises ``UnreadableFile``."""
    path = shared / FACTS
    try:
        with gzip.open(path, "rb") as file:
            lines = [msgspec.json.decode(line, type=FactLine) for line in file]
    except (OSError, EOFError, msgspec.DecodeError) as error:
        raise UnreadableFile(
            f"{path} does not hold facts of records, one JSON object a line: {error}"
        ) from None
    if not lines:
        raise UnreadableFile(f"{path} does not hold facts of records, one JSON object a line: it is empty")
    return lines


def read_records(shared: Path) -> ReadRecords:
    """The records of ``data/facts`` with what readers wrote down; raises ``UnreadableFile``."""
    lines = fact_lines(shared)
    has = np.array([[name in own for name in CATEGORIES] for own in map(categories, lines)])
    of = tuple(one.collection for one in lines)
    return ReadRecords(of, tuple(map(fact_record, lines)), has, tuple(map(tagged, lines)))


def tagged(line: FactLine) -> tuple[TaggedText, ...]:
    """The words that readers rest their facts on; what is only implied has none.

    >>> tagged(FactLine("c", "1", {}, [PersonFact("two girls", "shown")], places=[PlaceFact("", "made")]))
    (TaggedText(text='two girls', tag=1),)
    """
    every = (
        *((one.text, _MAKER) for one in line.makers),
        *((one.text, _PLACE_MADE if one.role == "made" else _OTHER_PLACE) for one in line.places),
        *((one.text, _EVENT) for one in line.events if one.group != "portrait"),
        *((one.text, _OF_ROLE.get(one.role, _OF_ROLE["concerned"])) for one in line.people),
    )
    return tuple(TaggedText(text, tag) for text, tag in every if text)


def categories(line: FactLine) -> frozenset[str]:
    """The categories that a record has something of.

    >>> women, owner = PersonFact(role="shown", kind="young women", sex="f"), PersonFact(role="owner")
    >>> sorted(categories(FactLine("c", "1", {}, [women, owner], events=[EventFact(group="portrait")])))
    ['events/portrait', 'kinds/women', 'people', 'people/shown']
    """
    people = [one for one in line.people if one.role != "owner"]
    groups = {one.group for one in line.events}
    roles = {one.role for one in line.places}
    present = {
        "people": bool(people),
        "people/shown": any(one.role == "shown" for one in people),
        "event": bool(groups - {"portrait", ""}),
        "place": bool(roles - {"lived"}),
        "place/shown": "shown" in roles,
        "maker": any(one.name or one.group for one in line.makers),
        "kinds/women": any(one.sex in ("f", "both") for one in people),
        "kinds/men": any(one.sex in ("m", "both") for one in people),
        "kinds/named": any(one.name for one in people),
        "kinds/many": any(one.number == "many" for one in people),
    }
    named = {name for name, there in present.items() if there}
    kinds = {
        f"kinds/{kind}"
        for one in people
        for kind, words in _KINDS.items()
        if re.search(words, one.kind.lower())
    }
    return frozenset(named | kinds | {f"events/{group}" for group in groups if group})


def divisions(collections: Sequence[str]) -> dict[str, str]:
    """The division that each collection is of, named by its largest; the larger ones are dealt out first.

    >>> divisions(["a", "a", "b", "c", "d", "e"])
    {'a': 'a', 'b': 'b', 'c': 'c', 'd': 'd', 'e': 'a'}
    """
    ordered = sorted(Counter(collections).items(), key=lambda one: (-one[1], one[0]))
    return {name: ordered[place % DIVISIONS][0] for place, (name, _) in enumerate(ordered)}


def fact_record(line: FactLine) -> Record:
    """The record as it was read."""
    title, creator, subject, description, date, source = (
        values(text) if (text := line.fields.get(field.value)) else () for field in Field
    )
    return Record(
        id=f"{line.collection} {line.id}",
        title=title,
        creator=creator,
        subject=subject,
        description=description,
        date=date,
        source=source,
    )
