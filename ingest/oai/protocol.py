"""The six requests of OAI-PMH 2.0, and their answers."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from lxml import etree

from ingest.errors import BrokenAnswer, SourceRefuses
from ingest.oai import xml
from ingest.oai.fetching import Fetcher

_OAI: Final = "http://www.openarchives.org/OAI/2.0/"
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


class Identity(NamedTuple):
    """How a server identifies itself; ``now`` is its own clock at the answer."""

    name: str
    deleted: str
    granularity: str
    earliest: str
    now: str


class Header(NamedTuple):
    """Which record it is, and when it last changed."""

    identifier: str
    datestamp: str
    sets: tuple[str, ...] = ()
    deleted: bool = False


class HarvestedItem(NamedTuple):
    """A harvested record: ``metadata`` is None for a deleted one, and for one that came without."""

    header: Header
    metadata: etree._Element | None = None


class ListPage(NamedTuple):
    """A part of a list; ``token`` asks for the next, ``size`` is how long the source says the list is.

    ``nameless`` records came without an identifier, so that nobody can say which they are.
    """

    items: tuple[HarvestedItem, ...] = ()
    token: str | None = None
    size: int | None = None
    nameless: int = 0


class OaiClient:
    """Asks the server at one address.

    Its methods raise ``SourceRefuses`` for an error of the protocol, ``BrokenAnswer`` for what is no answer
    of the protocol, and what :class:`~ingest.oai.fetching.Fetcher` raises.
    """

    def __init__(self, url: str, fetcher: Fetcher) -> None:
        self._url = url
        self._fetcher = fetcher

    def identify(self) -> Identity:
        """How the server identifies itself."""
        root = self._ask({"verb": "Identify"})
        identity = _child(root, "Identify")
        if identity is None:
            raise BrokenAnswer(f"{self._url} does not say what it is; is it an OAI-PMH server?")
        return Identity(
            name=_text(identity, "repositoryName"),
            deleted=_text(identity, "deletedRecord") or "no",
            granularity=_text(identity, "granularity"),
            earliest=_text(identity, "earliestDatestamp"),
            now=_text(root, "responseDate"),
        )

    def formats(self) -> list[str]:
        """The prefixes of the metadata formats."""
        formats = _child(self._ask({"verb": "ListMetadataFormats"}), "ListMetadataFormats")
        elements = () if formats is None else formats.iterchildren(etree.Element)
        return [_text(element, "metadataPrefix") for element in elements]

    def sets(self) -> list[str]:
        """The names of the sets, of all pages; none where the server has no sets."""
        names: list[str] = []
        arguments: dict[str, str] | None = {"verb": "ListSets"}
        while arguments is not None:
            try:
                page = _child(self._ask(arguments), "ListSets")
            except SourceRefuses as refusal:
                if refusal.reason != "noSetHierarchy":
                    raise
                return []
            listed = [] if page is None else [_text(entry, "setSpec") for entry in _children(page, "set")]
            fresh = [name for name in listed if name not in names]
            names += fresh
            token = "" if page is None else _text(page, "resumptionToken")
            arguments = {"verb": "ListSets", "resumptionToken": token} if token and fresh else None
        return names

    def page(self, verb: str, arguments: Mapping[str, str]) -> ListPage:
        """A page of ListRecords or ListIdentifiers; an empty one where no record matches."""
        try:
            root = self._ask({"verb": verb, **arguments})
        except SourceRefuses as refusal:
            if refusal.reason == "noRecordsMatch":
                return ListPage()
            raise
        content = _child(root, verb)
        if content is None:
            raise BrokenAnswer(f"{self._url} answers {verb} without a list")
        token = _child(content, "resumptionToken")
        if token is None:  # some put it beside the list
            token = _child(root, "resumptionToken")
        came = [_item(entry) for entry in content if _named(entry, "record") or _named(entry, "header")]
        items = tuple(item for item in came if item is not None)
        if token is None:
            return ListPage(items, nameless=len(came) - len(items))
        size = token.get("completeListSize") or ""
        number = int(size) if size.strip().isdecimal() and len(size) < 16 else None
        return ListPage(items, (token.text or "").strip() or None, number, len(came) - len(items))

    def get(self, identifier: str, prefix: str) -> HarvestedItem | None:
        """One record; None where the server has none of that identifier."""
        try:
            root = self._ask({"verb": "GetRecord", "identifier": identifier, "metadataPrefix": prefix})
        except SourceRefuses as refusal:
            if refusal.reason in ("idDoesNotExist", "noRecordsMatch"):
                return None
            raise
        content = _child(root, "GetRecord")
        record = None if content is None else _child(content, "record")
        item = None if record is None else _item(record)
        if item is None:
            raise BrokenAnswer(f"{self._url} answers GetRecord of {identifier} without such a record")
        return item

    def _ask(self, arguments: Mapping[str, str]) -> etree._Element:
        """The root of the answer to a request, asked again where it is broken: it may be whole then."""
        for last in (False, True):
            answer = self._fetcher.get(self._url, arguments)
            try:
                root = xml.parse(answer.data, answer.charset)
                break
            except BrokenAnswer:
                if last:
                    raise
        if not _named(root, "OAI-PMH"):
            raise BrokenAnswer(f"{self._url} answers with <{_local(root)}>, which is no OAI-PMH")
        for error in _children(root, "error"):
            reason = (error.get("code") or "").strip()
            if reason == "noRecordsMatch" or arguments["verb"] not in {_local(child) for child in root}:
                message = " ".join((error.text or "").split())
                meaning = _MEANINGS.get(reason, f"it gives the error {reason!r}, which the protocol lacks")
                more = f" ({message})" if message else ""
                raise SourceRefuses(f"{self._url} refuses: {meaning}{more}", reason)
        return root


def _item(element: etree._Element) -> HarvestedItem | None:
    """The record or header; None where it has no identifier."""
    header = element if _named(element, "header") else _child(element, "header")
    if header is None or not (identifier := _text(header, "identifier")):
        return None
    sets = tuple((name.text or "").strip() for name in _children(header, "setSpec"))
    deleted = (header.get("status") or "").strip().lower() == "deleted"
    wrapper = None if deleted else _child(element, "metadata")
    inner = None if wrapper is None else next(wrapper.iterchildren(etree.Element), None)
    return HarvestedItem(Header(identifier, _text(header, "datestamp"), sets, deleted), inner)


def _local(node: etree._Element) -> str:
    return etree.QName(node).localname if isinstance(node.tag, str) else ""


def _named(node: etree._Element, name: str) -> bool:
    """Whether it is an element of the protocol; servers that forget its namespace are forgiven."""
    return _local(node) == name and etree.QName(node).namespace in (_OAI, None)


def _children(element: etree._Element, name: str) -> Iterator[etree._Element]:
    return (child for child in element if _named(child, name))


def _child(element: etree._Element, name: str) -> etree._Element | None:
    return next(_children(element, name), None)


def _text(element: etree._Element, name: str) -> str:
    child = _child(element, name)
    return "" if child is None else (child.text or "").strip()
