"""The six questions of OAI-PMH 2.0, and what comes back."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from lxml import etree

from ingest.errors import BrokenAnswer, SourceRefuses
from ingest.oai import xml
from ingest.oai.fetching import Fetcher

_OAI: Final = "http://www.openarchives.org/OAI/2.0/"
_TIMES_BROKEN: Final = 2
_MEANINGS: Final = {
    "badArgument": "it does not take an argument of the question",
    "badResumptionToken": "its list has expired or it does not know the token",
    "badVerb": "it does not know the question",
    "cannotDisseminateFormat": "it does not have this metadata format",
    "idDoesNotExist": "it has no such record",
    "noMetadataFormats": "the record has no metadata",
    "noRecordsMatch": "no record matches",
    "noSetHierarchy": "it has no sets",
}


@dataclass(frozen=True)
class Identity:
    """What a server says of itself; ``now`` is its own clock at the answer."""

    name: str
    deleted: str
    granularity: str
    earliest: str
    now: str


@dataclass(frozen=True)
class Header:
    """Which record it is, and when it last changed."""

    identifier: str
    datestamp: str
    sets: tuple[str, ...] = ()
    deleted: bool = False


@dataclass(frozen=True)
class Item:
    """A record as it came: ``metadata`` is None for a deleted one, and for one that came without."""

    header: Header
    metadata: etree._Element | None = None


@dataclass(frozen=True)
class Page:
    """A part of a list; ``token`` asks for the next, ``size`` is how long the source says the list is.

    ``nameless`` records came without an identifier, so that nobody can say which they are.
    """

    items: tuple[Item, ...] = ()
    token: str | None = None
    size: int | None = None
    nameless: int = 0


class Client:
    """Asks the server at one address.

    Its methods raise ``SourceRefuses`` for an error of the protocol, ``BrokenAnswer`` for what is no answer
    of the protocol, and what :class:`~ingest.oai.fetching.Fetcher` raises.
    """

    def __init__(self, url: str, fetcher: Fetcher) -> None:
        self._url = url
        self._fetcher = fetcher

    def identify(self) -> Identity:
        """What the server says of itself."""
        root = self._ask({"verb": "Identify"})
        found = _child(root, "Identify")
        if found is None:
            raise BrokenAnswer(f"{self._url} does not say what it is; is it an OAI-PMH server?")
        return Identity(
            name=_text(found, "repositoryName"),
            deleted=_text(found, "deletedRecord") or "no",
            granularity=_text(found, "granularity"),
            earliest=_text(found, "earliestDatestamp"),
            now=_text(root, "responseDate"),
        )

    def formats(self) -> list[str]:
        """The prefixes of the metadata formats."""
        root = self._ask({"verb": "ListMetadataFormats"})
        found = _child(root, "ListMetadataFormats")
        return [] if found is None else [_text(one, "metadataPrefix") for one in found if _is_element(one)]

    def sets(self) -> list[str]:
        """The names of the sets, of all pages; none where the server has no sets."""
        names: list[str] = []
        arguments: dict[str, str] | None = {"verb": "ListSets"}
        while arguments is not None:
            try:
                found = _child(self._ask(arguments), "ListSets")
            except SourceRefuses as refusal:
                if refusal.reason != "noSetHierarchy":
                    raise
                return []
            page = [] if found is None else [_text(one, "setSpec") for one in found if _named(one, "set")]
            fresh = [name for name in page if name not in names]
            names += fresh
            token = None if found is None else _text(found, "resumptionToken")
            arguments = {"verb": "ListSets", "resumptionToken": token} if token and fresh else None
        return names

    def page(self, verb: str, arguments: Mapping[str, str]) -> Page:
        """A page of ListRecords or ListIdentifiers; an empty one where no record matches."""
        try:
            root = self._ask({"verb": verb, **arguments})
        except SourceRefuses as refusal:
            if refusal.reason == "noRecordsMatch":
                return Page()
            raise
        found = _child(root, verb)
        if found is None:
            raise BrokenAnswer(f"{self._url} answers {verb} without a list")
        token = _child(found, "resumptionToken")
        if token is None:  # some put it beside the list
            token = _child(root, "resumptionToken")
        came = [_item(one) for one in found if _named(one, "record") or _named(one, "header")]
        items = tuple(item for item in came if item is not None)
        said = "" if token is None else (token.text or "").strip()
        size = None if token is None else _number(token.get("completeListSize"))
        return Page(items, said or None, size, len(came) - len(items))

    def get(self, identifier: str, prefix: str) -> Item | None:
        """One record; None where the server has none of that identifier."""
        try:
            root = self._ask({"verb": "GetRecord", "identifier": identifier, "metadataPrefix": prefix})
        except SourceRefuses as refusal:
            if refusal.reason in ("idDoesNotExist", "noRecordsMatch"):
                return None
            raise
        found = _child(root, "GetRecord")
        records = () if found is None else [one for one in found if _named(one, "record")]
        item = _item(records[0]) if records else None
        if item is None:
            raise BrokenAnswer(f"{self._url} answers GetRecord of {identifier} without such a record")
        return item

    def _ask(self, arguments: Mapping[str, str]) -> etree._Element:
        for attempt in range(_TIMES_BROKEN):
            answer = self._fetcher.get(self._url, arguments)
            try:
                root = xml.parse(answer.data, answer.charset)
                break
            except BrokenAnswer:
                if attempt + 1 == _TIMES_BROKEN:  # a cut answer may be whole the next time
                    raise
        if not _named(root, "OAI-PMH"):
            raise BrokenAnswer(f"{self._url} answers with <{_local(root)}>, which is no OAI-PMH")
        for error in _children(root, "error"):
            reason = (error.get("code") or "").strip()
            if reason == "noRecordsMatch" or arguments["verb"] not in {_local(one) for one in root}:
                said = " ".join((error.text or "").split())
                meaning = _MEANINGS.get(reason, f"it gives the error {reason!r}, which the protocol lacks")
                raise SourceRefuses(f"{self._url} refuses: {meaning}{f' ({said})' if said else ''}", reason)
        return root


def _item(element: etree._Element) -> Item | None:
    """The record or header; None where it has no identifier."""
    header = element if _named(element, "header") else _child(element, "header")
    if header is None or not (identifier := _text(header, "identifier")):
        return None
    sets = tuple((one.text or "").strip() for one in _children(header, "setSpec"))
    deleted = (header.get("status") or "").strip().lower() == "deleted"
    said = Header(identifier, _text(header, "datestamp"), sets, deleted)
    wrapped = _child(element, "metadata")
    inner = None if wrapped is None else next((one for one in wrapped if _is_element(one)), None)
    return Item(said, None if deleted else inner)


def _is_element(node: etree._Element) -> bool:
    return isinstance(node.tag, str)


def _local(node: etree._Element) -> str:
    return etree.QName(node).localname if _is_element(node) else ""


def _named(node: etree._Element, name: str) -> bool:
    """Whether it is an element of the protocol; servers that forget its namespace are forgiven."""
    return _is_element(node) and etree.QName(node).namespace in (_OAI, None) and _local(node) == name


def _children(element: etree._Element, name: str) -> Iterator[etree._Element]:
    return (one for one in element if _named(one, name))


def _child(element: etree._Element, name: str) -> etree._Element | None:
    return next(_children(element, name), None)


def _text(element: etree._Element, name: str) -> str:
    found = _child(element, name)
    return "" if found is None else (found.text or "").strip()


def _number(text: str | None) -> int | None:
    return int(text) if text and text.strip().isdecimal() and len(text) < 16 else None
