"""Mappings: how the columns of a museum's table become a record. Data, declared in config.yaml.

A mapping gives every part of a record a list of sources. A source reads texts from one place (``column``,
``value`` or ``parts``) and sends them through steps, always in this order::

    split -> marc -> strip_html -> unescape -> whitespace -> join -> replace -> table -> name -> pattern
    -> limit -> prefix, suffix

A step that leaves nothing of a text drops it, so that no empty value, lone prefix or stray separator shows.
"""

import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Annotated, Final, Self

import pydantic

from ingest.errors import RejectedRow
from ingest.reading import json_paths
from ingest.reading.row import ExtractedText, Json, Row, TextPaths
from ingest.reading.settings import FileSettings
from ingest.reconciliation import Reconciliation
from ingest.record import TEXTS, Entity, Field, Record, Value
from ingest.values import entity_address, plain_name, repaired, subfields, without_controls, without_html

_NO_LANGUAGE: Final = ("", "def", "und", "zxx", "@none")


class Source(pydantic.BaseModel, frozen=True, extra="forbid", defer_build=True):
    """Where texts come from and what is done to them; one of ``column``, ``value`` and ``parts`` is set.

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
    unescape: bool = pydantic.Field(True, description="turn HTML entities into characters: `&amp;` is `&`")
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
        for pattern, instead in self.replace.items():
            try:
                re.sub(pattern, instead, "")
            except (re.error, IndexError) as error:
                raise ValueError(
                    f"replace: {pattern!r} by {instead!r} is no regular expression: {error}"
                ) from None
        return self

    @property
    def has_steps(self) -> bool:
        """Whether it may leave nothing of a text that is there."""
        return bool(self.pattern or self.replace or self.marc)

    @property
    def bare(self) -> "Source":
        """The same source without what may leave nothing of a text."""
        return self.model_copy(update={"pattern": None, "replace": {}, "marc": None})

    @property
    def place(self) -> str:
        """Where an id is read, in words."""
        return f"column {self.column!r}" if self.column else "the mapping's id"

    def texts(self, row: Row) -> list[str]:
        """The texts that this source reads in a row, none of them empty.

        Raises ``RejectedRow`` where the column holds an object, a truth value or a nested list.
        """
        return [text.text for text in self.extracted(row) if text.text]

    def extracted(self, row: Row) -> list[ExtractedText]:
        """The texts with their languages and addresses of what they name; one with it may be empty."""
        if self.parts is not None:
            texts = [text for part in self.parts for text in part.extracted(row)]
        else:
            read = self._read(row)
            if self.marc:
                read = (text._replace(text=part) for text in read for part in subfields(text.text, self.marc))
            texts = [text for text in map(self._clean, read) if text.text or text.entity]
        if self.join is not None and texts:
            filled = [text for text in texts if text.text]
            languages = {text.language for text in filled}
            language = languages.pop() if len(languages) == 1 else None
            whole = ExtractedText(self.join.join(text.text for text in filled), language)
            texts = [whole, *(ExtractedText("", None, text.entity) for text in texts if text.entity)]
        return [
            ExtractedText(changed, self.language or text.language, text.entity)
            for text in texts
            if (changed := self._changed(text.text)) or text.entity
        ]

    def _changed(self, text: str) -> str:
        """The text after the steps that follow ``join``; empty where nothing is left of it."""
        for pattern, instead in self.replace.items():
            text = re.sub(pattern, instead, text) if text else text
        text = self.table.get(text, text)
        if self.name:
            text = plain_name(text)
        if self.pattern is not None:
            match = self.pattern.search(text)
            text = (match.group(1) or "") if match else ""
        return self.prefix + text[: self.limit] + self.suffix if text else ""

    def _read(self, row: Row) -> Iterable[ExtractedText]:
        if self.value is not None:
            return (ExtractedText(self.value),)
        paths = TextPaths(self.column or "", self.text, self.entity)
        if not isinstance(row, dict):
            wholes = row.take(paths)
            if not self.split:
                return wholes
            return [whole._replace(text=text) for whole in wholes for text in whole.text.split(self.split)]
        cell = row.get(paths.column)
        if isinstance(cell, str) and paths.entity is None:
            return (
                [ExtractedText(text) for text in cell.split(self.split)]
                if self.split
                else [ExtractedText(cell)]
            )
        if self.by_language:
            return self._by_language(row, paths.column)
        if isinstance(cell, str) and self.split:
            texts = cell.split(self.split)
            beside = row.get(paths.entity or "")
            addresses = beside.split(self.split) if isinstance(beside, str) else []
            if len(addresses) != len(texts):  # the other column is no list of as many addresses
                addresses = [""] * len(texts)
            return [
                ExtractedText(text, None, address.strip() or None)
                for text, address in zip(texts, addresses, strict=True)
            ]
        return json_paths.take(row, paths)

    def _by_language(self, row: dict[str, Json], column: str) -> Iterator[ExtractedText]:
        for node in json_paths.nodes(row, column):
            for language, texts in node.items() if isinstance(node, dict) else [("", node)]:
                for text in texts if isinstance(texts, list) else [texts]:
                    if isinstance(text, str):
                        yield ExtractedText(text, None if language in _NO_LANGUAGE else language)

    def _clean(self, given: ExtractedText) -> ExtractedText:
        text = without_html(given.text) if self.strip_html else given.text
        text = html.unescape(text) if self.unescape else text
        # a letter and an accent behind it are one letter: of two characters every rule would make two words
        text = " ".join(unicodedata.normalize("NFC", text).split())
        return ExtractedText(text, given.language, entity_address(given.entity) if given.entity else None)


Sources = Annotated[
    tuple[Source, ...],
    pydantic.Field(min_length=1),
    pydantic.BeforeValidator(lambda given: [given] if isinstance(given, dict | Source) else given),
]
"""One source or a list of them; where a record has room for one text, the first counts."""


class Mapping(pydantic.BaseModel, frozen=True, extra="forbid", defer_build=True):
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
    _reconciliation: Reconciliation | None = pydantic.PrivateAttr(None)
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
    people: Sources = pydantic.Field(
        (), description="who is shown, or whom the item is about, as the museum indexes them; all are kept"
    )
    cultures: Sources = pydantic.Field(
        (), description="the culture, people, school or nation that the item comes from; all are kept"
    )
    periods: Sources = pydantic.Field(
        (), description="periods, styles, reigns and dynasties by their names; all are kept"
    )
    events: Sources = pydantic.Field((), description="events that the item shows or is about; all are kept")
    concepts: Sources = pydantic.Field(
        (),
        description="what a thesaurus or an authority calls the item and what it shows: Iconclass, AAT,"
        " subject headings. Scores read `subject`, so name the source there too. All are kept",
    )
    materials: Sources = pydantic.Field((), description="materials and techniques; all are kept")
    part_of: Sources = pydantic.Field(
        (), description="the set, series, album, book or papers that the item is part of; all are kept"
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

    def reconciled(self, table: Reconciliation) -> "Mapping":
        """The same mapping, whose records have the addresses of a table."""
        other = self.model_copy()
        other._reconciliation = table
        return other

    def sources(self) -> Iterator[tuple[str, Source]]:
        """Every source that reads something, with the part of the record that it is for."""
        for part in ("id", *_PARTS):
            waiting = [*getattr(self, part)]
            while waiting:
                source = waiting.pop(0)
                waiting[:0] = source.parts or ()
                if source.parts is None:
                    yield part, source

    def apply(self, row: Row, record_id: str | None = None, mended: Callable[[str], object] = str) -> Record:
        """The record of a row, named ``record_id`` or else by what the mapping's id reads.

        ``mended`` is called with each text that held control characters, as it is without them.
        Raises ``RejectedRow`` for no id or several, for no text in any of the six fields, and for a column
        of a kind that is not read.
        """
        record_id = record_id or self.identify(row)
        entities: dict[Entity, None] = {}
        try:
            parts = {part: self._part(part, row, entities, mended) for part in _PARTS}
        except RejectedRow as refused:
            raise RejectedRow(refused.detail, record_id) from None
        texts = {part: tuple(Value(text.text, text.language) for text in parts[part]) for part in TEXTS}
        singles = {part: parts[part][0].text if parts[part] else None for part in _SINGLES}
        record = Record(id=record_id, entities=tuple(entities), **texts, **singles)  # type: ignore[arg-type]
        if not record.has_text:
            raise RejectedRow(f"no text in any of the six fields ({', '.join(Field)})", record_id)
        return record if self._reconciliation is None else self._reconciliation.of(record)

    def _part(
        self, part: str, row: Row, entities: dict[Entity, None], mended: Callable[[str], object]
    ) -> list[ExtractedText]:
        """The texts for a part of the record, stripped; the things they name are added to ``entities``."""
        texts = []
        for extracted in (text for source in getattr(self, part) for text in source.extracted(row)):
            text = repaired(extracted.text) if self.read.repair else extracted.text
            sound = without_controls(text).strip()
            if sound != text.strip():
                mended(sound)
            text = sound
            if extracted.entity:
                entities.setdefault(Entity(part, extracted.entity, text))
            if text:
                texts.append(extracted._replace(text=text))
        return texts

    def identify(self, row: Row) -> str:
        """The id of a row's record; raises ``RejectedRow`` where there is none, or several texts."""
        for source in self.id:
            texts = source.texts(row)
            if len(texts) > 1:
                raise RejectedRow(f"{len(texts)} ids in {source.place}; a record has one")
            if texts:
                return texts[0].strip()
        emptied = [
            source for source in self.id if source.column and source.has_steps and source.bare.texts(row)
        ]
        if emptied:
            places = " and ".join(
                f"{source.place} holds {source.bare.texts(row)[0]!r}, of which its steps (pattern, replace,"
                " marc) leave nothing"
                for source in emptied
            )
            raise RejectedRow(f"no id: {places}; correct the mapping")
        where = " and ".join(source.place for source in self.id)
        names = list(row) if isinstance(row, dict) else list(dict(row.leaves()))
        shown = ", ".join(islice(names, 12)) or "no column at all"
        more = ", ..." if len(names) > 12 else ""
        raise RejectedRow(f"no id: {where} is absent or empty; the row has: {shown}{more}")


_SINGLES: Final = ("type", "image", "landing_page", "rights", "provider", "modified")
_PARTS: Final = (*TEXTS, *_SINGLES)
