"""Mappings: how the columns of a museum's table become a record. Data, declared in config.yaml.

A mapping gives every part of a record a list of sources. A source takes texts from one place
(``column``, ``value`` or ``parts``) and sends them through steps, always in this order::

    split -> marc -> strip_html -> unescape -> whitespace -> join -> replace -> table -> name -> pattern
    -> limit -> prefix, suffix

A step that leaves nothing of a text drops it: an empty column never shows as an empty value, a
lone prefix or a stray separator.
"""

import html
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated, Self

import pydantic

from ingest.errors import RejectedRow
from ingest.reading import json_paths
from ingest.reading.row import ExtractedText, Json, Paths, Row
from ingest.reading.settings import FileSettings
from ingest.record import Entity, Field, Record, Value
from ingest.values import entity_address, plain_name, subfields, without_html


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

    column: str | None = pydantic.Field(
        None,
        description="the column to read: a name, or a path. It holds a string, a number, or a list of"
        " them; absent or null gives nothing",
    )
    text: str | None = pydantic.Field(
        None, description="the path to the text within what `column` leads to, in JSON and XML"
    )
    entity: str | None = pydantic.Field(
        None,
        description="where the address of the thing stands within what `column` leads to: a path; in a"
        " table, the column that has it, cut by the same `split`",
    )
    by_language: bool = pydantic.Field(
        False,
        description='the keys of the object in the column are languages: `{"en": "View", "it": "Veduta"}`',
    )
    value: str | None = pydantic.Field(None, description="a constant, the same for every row")
    parts: tuple["Source", ...] | None = pydantic.Field(
        None, description="other sources, one after the other; with `join` they become one text"
    )
    split: Annotated[str, pydantic.Field(min_length=1)] | None = pydantic.Field(
        None, description="cut a string at this separator; entries of a list stay whole"
    )
    marc: Annotated[str, pydantic.Field(pattern="^[a-z0-9]+$")] | None = pydantic.Field(
        None,
        description="keep the MARC subfields with these codes, each a text:"
        " `ab` of `10$aTitle$bRest$cAuthor`",
    )
    strip_html: bool = pydantic.Field(
        False, description="take out tags and scripts, turn HTML entities into characters"
    )
    unescape: bool = pydantic.Field(False, description="turn HTML entities into characters")
    join: str | None = pydantic.Field(None, description="make one text of all, with this between them")
    replace: dict[str, str] = pydantic.Field(
        default_factory=dict,
        description="put the second in the place of every match of the first, a regular expression of"
        ' Python, one after the other: `{"^continents/": "", "/[^/]*/": " > "}`',
    )
    table: dict[str, str] = pydantic.Field(
        default_factory=dict,
        description="put the second in the place of a text that is the first; others stay",
    )
    name: bool = pydantic.Field(
        False,
        description="write makers as they are read, without years and roles behind them: `Rijn, Rembrandt"
        " van (1606-1669)` becomes `Rembrandt van Rijn`",
    )
    pattern: re.Pattern[str] | None = pydantic.Field(
        None, description="keep the first group of the first match; a text without a match is left out"
    )
    limit: Annotated[int, pydantic.Field(gt=0)] | None = pydantic.Field(
        None, description="keep this many characters at most"
    )
    prefix: str = pydantic.Field("", description="put this in front")
    suffix: str = pydantic.Field("", description="put this behind")
    language: str | None = pydantic.Field(
        None, description="the language of the texts, a BCP 47 code, where the museum states it"
    )

    @pydantic.model_validator(mode="after")
    def _complete(self) -> Self:
        if sum(origin is not None for origin in (self.column, self.value, self.parts)) != 1:
            raise ValueError("a source needs exactly one of: column, value, parts")
        if self.parts == ():
            raise ValueError("parts: name at least one source")
        if self.pattern is not None and self.pattern.groups < 1:
            raise ValueError("pattern: needs a group in parentheses; the first one is kept")
        if self.column is None and (self.text or self.entity or self.by_language):
            raise ValueError("text, entity and by_language say more of a column; name one")
        for wanted, instead in self.replace.items():
            _check_replacement(wanted, instead)
        return self

    @property
    def place(self) -> str:
        """Where an id is read, in words."""
        return f"column {self.column!r}" if self.column else "the mapping's id"

    def texts(self, row: Row) -> list[str]:
        """The texts this source finds in a row, none of them empty.

        Raises:
            RejectedRow: the column holds an object, a truth value or a nested list.
        """
        return [found.text for found in self.found(row) if found.text]

    def found(self, row: Row) -> list[ExtractedText]:
        """The texts with their languages and addresses of what they name; one with it may be empty."""
        if self.parts is not None:
            found = [each for part in self.parts for each in part.found(row)]
        else:
            found = [each for each in map(self._clean, self._fields(row)) if each.text or each.entity]
        if self.join is not None and found:
            found = self._joined(found)
        return [
            ExtractedText(text, self.language or each.language, each.entity)
            for each in found
            if (text := self._changed(each.text)) or each.entity
        ]

    def _joined(self, found: list[ExtractedText]) -> list[ExtractedText]:
        texts = [each for each in found if each.text]
        languages = {each.language for each in texts}
        one = ExtractedText(
            (self.join or "").join(each.text for each in texts),
            languages.pop() if len(languages) == 1 else None,
        )
        return [one, *(ExtractedText("", None, each.entity) for each in found if each.entity)]

    def _changed(self, text: str) -> str:
        """The text after the steps that follow ``join``; empty where nothing is left of it."""
        for wanted, instead in self.replace.items():
            text = re.sub(wanted, instead, text) if text else text
        text = self.table.get(text, text)
        if self.name:
            text = plain_name(text)
        if self.pattern is not None:
            match = self.pattern.search(text)
            text = (match.group(1) or "") if match else ""
        text = text[: self.limit]
        return self.prefix + text + self.suffix if text else ""

    def _fields(self, row: Row) -> Iterable[ExtractedText]:
        """What is read from the row; of MARC fields each of the wanted subfields."""
        if not self.marc:
            return self._taken(row)
        return (
            each._replace(text=text) for each in self._taken(row) for text in subfields(each.text, self.marc)
        )

    def _taken(self, row: Row) -> Iterable[ExtractedText]:
        if self.value is not None:
            return (ExtractedText(self.value),)
        paths = Paths(self.column or "", self.text, self.entity)
        if not isinstance(row, dict):
            return self._cut(row.take(paths))
        held = row.get(paths.column)
        if isinstance(held, str) and paths.entity is None:
            return (
                [ExtractedText(text) for text in held.split(self.split)]
                if self.split
                else (ExtractedText(held),)
            )
        if self.by_language:
            return self._by_language(row, paths.column)
        if isinstance(held, str) and self.split:
            return self._beside(held.split(self.split), row.get(paths.entity or ""))
        return json_paths.take(row, paths)

    def _cut(self, found: list[ExtractedText]) -> list[ExtractedText]:
        if not self.split:
            return found
        return [each._replace(text=text) for each in found for text in each.text.split(self.split)]

    def _beside(self, texts: list[str], addresses: Json) -> list[ExtractedText]:
        """Texts of one cell with the addresses of another, where it has as many."""
        others = addresses.split(self.split) if isinstance(addresses, str) else []
        if len(others) != len(texts):
            return [ExtractedText(text) for text in texts]
        return [
            ExtractedText(text, None, other.strip() or None)
            for text, other in zip(texts, others, strict=True)
        ]

    def _by_language(self, row: dict[str, Json], column: str) -> Iterator[ExtractedText]:
        for node in json_paths.nodes(row, column):
            for language, texts in node.items() if isinstance(node, dict) else [("", node)]:
                for text in texts if isinstance(texts, list) else [texts]:
                    if isinstance(text, str):
                        yield ExtractedText(
                            text, None if language in ("", "def", "und", "zxx", "@none") else language
                        )

    def _clean(self, found: ExtractedText) -> ExtractedText:
        text = without_html(found.text) if self.strip_html else found.text
        text = " ".join((html.unescape(text) if self.unescape else text).split())
        entity = entity_address(found.entity) if found.entity else None
        return ExtractedText(text, found.language, entity)


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

    read: FileSettings = pydantic.Field(
        FileSettings(),
        description="how the files are read that the mapping is for; what it does not say is found out",
    )
    id: Sources = pydantic.Field(
        description="what names the record; unique in the whole collection. Of several sources the first"
        " that finds it counts; it must find exactly one. Where the first gives many records one id,"
        " the next is read"
    )
    title: Sources = pydantic.Field((), description="titles; all are kept")
    creator: Sources = pydantic.Field((), description="names of makers; all are kept")
    subject: Sources = pydantic.Field((), description="keywords; all are kept")
    description: Sources = pydantic.Field((), description="prose; all is kept")
    date: Sources = pydantic.Field(
        (), description="dates as the museum writes them; years are found in the text. All are kept"
    )
    source: Sources = pydantic.Field((), description="the collection or holding it comes from; all are kept")
    type: Sources = pydantic.Field((), description="kind of object; the first is kept")
    places: Sources = pydantic.Field(
        (),
        description="place names given apart from the six fields, or paths to them, the widest place"
        " first: `Europe > Italia > Veneto > Verona` is shown and filtered by as *Verona*, and read with all"
        " that it lies in. All are kept",
    )
    image: Sources = pydantic.Field((), description="address of a picture; the first is kept")
    landing_page: Sources = pydantic.Field(
        (), description="address of the item's page at its museum; the first is kept"
    )
    rights: Sources = pydantic.Field((), description="licence of the metadata; the first is kept")
    provider: Sources = pydantic.Field((), description="who provides the record; the first is kept")
    modified: Sources = pydantic.Field(
        (), description="when the record last changed at its provider; the first is kept"
    )

    @pydantic.model_validator(mode="after")
    def _describes(self) -> Self:
        if not any(getattr(self, field.value) for field in Field):
            raise ValueError(f"name a source for one of: {', '.join(Field)}")
        return self

    def sources(self) -> Iterator[tuple[str, Source]]:
        """Every source that reads something, with the part of the record that it is for."""
        for part in ("id", *_PARTS):
            waiting = [*getattr(self, part)]
            while waiting:
                source = waiting.pop(0)
                waiting[:0] = source.parts or ()
                if source.parts is None:
                    yield part, source

    def apply(self, row: Row, record_id: str | None = None) -> Record:
        """The record of a row, named ``record_id`` or else by what the mapping's id reads.

        Raises:
            RejectedRow: no id, more than one, no text in any of the six fields, or a column of a
                kind that is not read.
        """
        record_id = record_id or self.identify(row)
        entities: dict[Entity, None] = {}
        try:
            found = {part: self._found(part, row, entities) for part in _PARTS}
        except RejectedRow as refused:
            raise RejectedRow(refused.detail, record_id) from None
        texts = {part: tuple(Value(each.text, each.language) for each in found[part]) for part in _TEXTS}
        singles = {part: found[part][0].text if found[part] else None for part in _SINGLES}
        record = Record(id=record_id, entities=tuple(entities), **texts, **singles)  # type: ignore[arg-type]
        if not record.has_text:
            raise RejectedRow(f"no text in any of the six fields ({', '.join(Field)})", record_id)
        return record

    def _found(self, part: str, row: Row, entities: dict[Entity, None]) -> list[ExtractedText]:
        """The texts for a part of the record, stripped; the things they name are added to ``entities``."""
        texts = []
        for source in getattr(self, part):
            for found in source.found(row):
                text = found.text.strip()
                if found.entity:
                    entities.setdefault(Entity(part, found.entity, text))
                if text:
                    texts.append(found._replace(text=text))
        return texts

    def identify(self, row: Row) -> str:
        """What names the record of a row; raises ``RejectedRow`` where nothing does, or several texts."""
        for source in self.id:
            found = source.texts(row)
            if len(found) > 1:
                raise RejectedRow(f"{len(found)} ids in {source.place}; a record has one")
            if found:
                return found[0].strip()
        where = " and ".join(source.place for source in self.id)
        raise RejectedRow(f"no id: {where} is absent or empty; the row has: {_named(row)}")


_TEXTS = (*(field.value for field in Field), "places")
_SINGLES = ("type", "image", "landing_page", "rights", "provider", "modified")
_PARTS = (*_TEXTS, *_SINGLES)


def _named(row: Row) -> str:
    names = list(row) if isinstance(row, dict) else list(dict(row.leaves()))
    shown = ", ".join(islice(names, 12)) or "no column at all"
    return shown if len(names) <= 12 else shown + ", ..."
