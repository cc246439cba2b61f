"""Mappings: how the columns of a museum's table become a record. Data, declared in config.yaml.

A mapping gives every part of a record a list of sources. A source takes texts from one place
(``column``, ``value`` or ``parts``) and sends them through steps, always in this order::

    split -> unescape -> whitespace -> join -> replace -> pattern -> limit -> prefix, suffix

A step that leaves nothing of a text drops it: an empty column never shows as an empty value, a
lone prefix or a stray separator.
"""

import html
import re
from collections.abc import Iterable
from typing import Annotated, Self, TypeAlias

import pydantic

from ingest.errors import RejectedRow
from ingest.record import Field, Record, Value

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
"""What a JSON document can hold."""

Row: TypeAlias = dict[str, Json]
"""One row of a table: column -> what stands there."""


class _Declared(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Source(_Declared):
    """Where texts come from and what is done to them; exactly one of the first three is set.

    >>> medium = Source(parts=(Source(column="medium"), Source(column="credit", prefix="Gift: ")), join=". ")
    >>> medium.texts({"medium": "oil  on canvas", "credit": None})
    ['oil on canvas']
    >>> Source(column="subject", split="|").texts({"subject": "canal | boat |"})
    ['canal', 'boat']
    """

    column: str | None = None
    """The column to read: a string, a number, or a list of them; absent or null gives nothing."""
    value: str | None = None
    """A constant, the same for every row."""
    parts: tuple["Source", ...] | None = None
    """Other sources, one after the other; with ``join`` they become one text."""
    split: Annotated[str, pydantic.Field(min_length=1)] | None = None
    """Cut a string at this separator (the entries of a list are separate already and stay whole)."""
    unescape: bool = False
    """Turn HTML entities into characters."""
    join: str | None = None
    """Make one text of all, with this between them."""
    replace: dict[str, str] = pydantic.Field(default_factory=dict)
    """Put the second in the place of every match of the first, a regular expression; one after the other."""
    pattern: re.Pattern[str] | None = None
    """Keep the first group of the first match; a text without a match is left out."""
    limit: Annotated[int, pydantic.Field(gt=0)] | None = None
    """Keep this many characters at most."""
    prefix: str = ""
    """Put this in front."""
    suffix: str = ""
    """Put this behind."""
    language: str | None = None
    """The language of these texts (BCP 47), where the museum states it."""

    @pydantic.model_validator(mode="after")
    def _complete(self) -> Self:
        if sum(origin is not None for origin in (self.column, self.value, self.parts)) != 1:
            raise ValueError("a source needs exactly one of: column, value, parts")
        if self.parts == ():
            raise ValueError("parts: name at least one source")
        if self.pattern is not None and self.pattern.groups < 1:
            raise ValueError("pattern: needs a group in parentheses; the first one is kept")
        for wanted, instead in self.replace.items():
            _check_replacement(wanted, instead)
        return self

    def texts(self, row: Row) -> list[str]:
        """The texts this source finds in a row, none of them empty.

        Raises:
            RejectedRow: the column holds an object, a truth value or a nested list.
        """
        if self.parts is not None:
            found = [text for part in self.parts for text in part.texts(row)]
        else:
            found = [text for text in map(self._clean, self._taken(row)) if text]
        if self.join is not None and found:
            found = [self.join.join(found)]
        for wanted, instead in self.replace.items():
            found = [text for each in found if (text := re.sub(wanted, instead, each))]
        if self.pattern is not None:
            matches = map(self.pattern.search, found)
            found = [text for match in matches if match and (text := match.group(1))]
        if self.limit is not None:
            found = [text[: self.limit] for text in found]
        if self.prefix or self.suffix:
            found = [self.prefix + text + self.suffix for text in found]
        return found

    def _taken(self, row: Row) -> Iterable[str]:
        if self.value is not None:
            return (self.value,)
        column = self.column or ""
        held = row.get(column)
        if isinstance(held, str):
            return held.split(self.split) if self.split else (held,)
        if isinstance(held, list):
            return [text for entry in held for text in _scalar(column, entry)]
        return _scalar(column, held)

    def _clean(self, text: str) -> str:
        return " ".join((html.unescape(text) if self.unescape else text).split())


def _scalar(column: str, held: Json) -> tuple[str, ...]:
    if held is None:
        return ()
    if isinstance(held, str):
        return (held,)
    if isinstance(held, int | float) and not isinstance(held, bool):
        return (str(held),)
    kind = {bool: "a truth value", list: "a nested list", dict: "an object"}[type(held)]
    raise RejectedRow(f"column {column!r} holds {kind} where a text, a number or a list of them is read")


def _check_replacement(wanted: str, instead: str) -> None:
    try:
        re.sub(wanted, instead, "")
    except (re.error, IndexError) as error:
        raise ValueError(f"replace: {wanted!r} by {instead!r} is no regular expression: {error}") from None


def _listed(declared: object) -> object:
    return [declared] if isinstance(declared, dict | Source) else declared


Sources = Annotated[tuple[Source, ...], pydantic.Field(min_length=1), pydantic.BeforeValidator(_listed)]
"""One source or a list of them; where a record has room for one text, the first found counts."""


class Mapping(_Declared):
    """How a row becomes a record. Errors in it are found when it is loaded, not row by row.

    >>> mapping = Mapping(id=Source(column="nr", prefix="x:"), title=(Source(column="name"),))
    >>> record = mapping.apply({"nr": 7, "name": "View of Venice"})
    >>> record.id, record.label
    ('x:7', 'View of Venice')
    """

    id: Source
    """What names the record; unique in the whole collection."""
    title: Sources = ()
    creator: Sources = ()
    subject: Sources = ()
    description: Sources = ()
    date: Sources = ()
    source: Sources = ()
    type: Sources = ()
    places: Sources = ()
    image: Sources = ()
    landing_page: Sources = ()
    rights: Sources = ()
    provider: Sources = ()
    modified: Sources = ()

    @pydantic.model_validator(mode="after")
    def _describes(self) -> Self:
        if not any(getattr(self, field.value) for field in Field):
            raise ValueError(f"name a source for one of: {', '.join(Field)}")
        return self

    def apply(self, row: Row) -> Record:
        """The record of a row.

        Raises:
            RejectedRow: no id, more than one, no text in any of the six fields, or a column of a
                kind that is not read.
        """
        record_id = self._identify(row)
        try:
            record = Record(
                id=record_id,
                title=_values(self.title, row),
                creator=_values(self.creator, row),
                subject=_values(self.subject, row),
                description=_values(self.description, row),
                date=_values(self.date, row),
                source=_values(self.source, row),
                places=_values(self.places, row),
                type=_first(self.type, row),
                image=_first(self.image, row),
                landing_page=_first(self.landing_page, row),
                rights=_first(self.rights, row),
                provider=_first(self.provider, row),
                modified=_first(self.modified, row),
            )
        except RejectedRow as refused:
            raise RejectedRow(refused.detail, record_id) from None
        if not record.has_text:
            raise RejectedRow(f"no text in any of the six fields ({', '.join(Field)})", record_id)
        return record

    def _identify(self, row: Row) -> str:
        found = self.id.texts(row)
        where = f"column {self.id.column!r}" if self.id.column else "the mapping's id"
        if not found:
            raise RejectedRow(f"no id: {where} is absent or empty; the row has: {_named(row)}")
        if len(found) > 1:
            raise RejectedRow(f"{len(found)} ids in {where}; a record has one")
        return found[0]


def _named(row: Row) -> str:
    shown = ", ".join(list(row)[:12]) or "no column at all"
    return shown if len(row) <= 12 else shown + ", ..."


def _values(sources: Sources, row: Row) -> tuple[Value, ...]:
    return tuple(Value(text.strip(), source.language) for source in sources for text in source.texts(row))


def _first(sources: Sources, row: Row) -> str | None:
    return next((text.strip() for source in sources for text in source.texts(row)), None)
