"""XML: its records one by one as the file streams by, and paths (XPath 1.0) into a record.

Nothing is fetched and no entity is expanded: a document that declares entities is refused.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice, pairwise
from typing import IO, Final, TypeVar, cast

from lxml import etree

from ingest.errors import RejectedRow, UnreadableFile, UsageError
from ingest.reading.row import ExtractedText, TextPaths

_Read = TypeVar("_Read")

NAMESPACES: Final = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "edm": "http://www.europeana.eu/schemas/edm/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "lido": "http://www.lido-schema.org",
    "marc": "http://www.loc.gov/MARC21/slim",
    "mods": "http://www.loc.gov/mods/v3",
    "oai": "http://www.openarchives.org/OAI/2.0/",
    "oai_dc": "http://www.openarchives.org/OAI/2.0/oai_dc/",
    "ore": "http://www.openarchives.org/ore/terms/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdaGr2": "http://rdvocab.info/ElementsGr2/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "tei": "http://www.tei-c.org/ns/1.0",
    "wgs84": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "xlink": "http://www.w3.org/1999/xlink",
    "xml": "http://www.w3.org/XML/1998/namespace",
}
"""The prefixes that paths may use without declaring them."""

_FUNCTIONS: Final = {"re": "http://exslt.org/regular-expressions"}  # re:test(text, pattern, flags)
_PREFIXES = {address: prefix for prefix, address in NAMESPACES.items()}
_LANG: Final = f"{{{NAMESPACES['xml']}}}lang"
_HEAD = 1 << 18
_CHUNK = 1 << 16


def prefixed(name: str, namespaces: dict[str, str] | None = None) -> str:
    """A name with its prefix, as paths have it: ``dc:title``."""
    space, _, local = name.rpartition("}")
    if not space:
        return local
    own = {address: prefix for prefix, address in (namespaces or {}).items()}
    prefix = own.get(space[1:]) or _PREFIXES.get(space[1:])
    return f"{prefix}:{local}" if prefix else f"*[local-name()='{local}']"


def clark(name: str, namespaces: dict[str, str]) -> str:
    """A name with its namespace, as lxml has it; raises ``UsageError`` for a prefix that is not known."""
    prefix, _, local = name.strip().rpartition(":")
    if not prefix:
        return local
    known = NAMESPACES | namespaces
    if prefix not in known:
        raise UsageError(
            f"the prefix {prefix!r} of {name.strip()!r} is not known; give it under read: namespaces"
        )
    return f"{{{known[prefix]}}}{local}"


@lru_cache(maxsize=2048)
def _xpath(path: str, namespaces: tuple[tuple[str, str], ...]) -> etree.XPath:
    try:
        return etree.XPath(path, namespaces=NAMESPACES | _FUNCTIONS | dict(namespaces))
    except etree.XPathSyntaxError as error:
        raise UsageError(f"{path!r} is no path into XML ({error}); correct it in the mapping") from None


class XmlRecord:
    """A record of XML, into which the paths of a mapping lead."""

    def __init__(self, element: etree._Element, namespaces: dict[str, str] | None = None) -> None:
        self.element = element
        self._namespaces = tuple(sorted((namespaces or {}).items()))

    def take(self, paths: TextPaths) -> list[ExtractedText]:
        """The texts that the paths lead to, in the order of the record, each once with its language.

        Raises ``UsageError`` for what is no path, ``RejectedRow`` for an entity that would be expanded.
        """
        results: list[ExtractedText] = []
        for node in self._nodes(self.element, paths.column):
            entity = self._first(node, paths.entity) if paths.entity and not isinstance(node, str) else None
            inner = self._nodes(node, paths.text) if paths.text and not isinstance(node, str) else [node]
            texts = [self._text(part) for part in inner]
            if entity and not any(text.text for text in texts):
                texts = [ExtractedText("")]
            results += [text._replace(entity=entity) for text in texts] if entity else texts
        return results

    def _nodes(self, node: etree._Element, path: str) -> list[etree._Element | str]:
        compiled = _xpath(path, self._namespaces)
        try:
            result = compiled(node)
        except etree.XPathError as error:
            raise UsageError(f"{path!r} is no path into XML ({error}); correct it in the mapping") from None
        if isinstance(result, list):
            return cast("list[etree._Element | str]", result)
        return [f"{result:g}" if isinstance(result, float) else str(result)]

    def _first(self, node: etree._Element, path: str) -> str | None:
        texts = (self._text(part).text.strip() for part in self._nodes(node, path))
        return next((text for text in texts if text), None)

    def _text(self, node: etree._Element | str) -> ExtractedText:
        if isinstance(node, str):
            return ExtractedText(str(node), self._language(_owner(node)))
        return ExtractedText(text_of(node), self._language(node))

    def _language(self, node: etree._Element | None) -> str | None:
        while node is not None:
            if language := node.get(_LANG) or node.get("lang"):
                return language
            node = None if node is self.element else node.getparent()
        return None

    def reached(self, path: str) -> set[str]:
        """The paths of all texts that a path leads to, or to what stands around them."""
        reached: set[str] = set()
        for node in self._nodes(self.element, path):
            if isinstance(node, str):
                name = getattr(node, "attrname", None)
                if (owner := _owner(node)) is not None:
                    reached.add(self._place(owner) + (f"/@{prefixed(str(name))}" if name else ""))
            else:
                for element in node.iter(etree.Element):
                    place = self._place(element)
                    reached |= {place, *(f"{place}/@{prefixed(str(name))}" for name in element.attrib)}
        return {place.lstrip("/") for place in reached}

    def _place(self, node: etree._Element | None) -> str:
        steps: list[str] = []
        while node is not None and node is not self.element:
            steps.append(prefixed(str(node.tag)))
            node = node.getparent()
        return "/".join(reversed(steps))

    def leaves(self) -> list[tuple[str, str]]:
        """The path of every text in the record, and the text, attributes too."""
        leaves: list[tuple[str, str]] = []
        waiting = [(self.element, "")]
        while waiting:
            node, path = waiting.pop()
            if path and node.text and node.text.strip():
                leaves.append((path, " ".join(node.text.split())))
            leaves += [
                (f"{path}/@{prefixed(str(name))}".lstrip("/"), str(value))
                for name, value in node.items()
                if "schemaLocation" not in str(name) and str(name) != _LANG
            ]
            below = [child for child in node if isinstance(child.tag, str)]
            waiting += [(child, f"{path}/{prefixed(child.tag)}".lstrip("/")) for child in below[::-1]]
        return leaves


def _owner(text: str) -> etree._Element | None:
    """The element that a text or an attribute of a record stands in."""
    return text.getparent() if isinstance(text, etree._ElementUnicodeResult) else None


def text_of(node: etree._Element) -> str:
    """All text within an element; raises ``RejectedRow`` where an entity stands in it."""
    if not len(node):
        return node.text or ""
    for child in node.iter(etree.Entity):
        raise RejectedRow(
            f"the entity {child.text} stands in it, which is not read; write the character itself"
        )
    return "".join(str(text) for text in node.itertext())


def line_of(element: etree._Element) -> int:
    """The line at which an element begins."""
    line = element.sourceline
    return line if isinstance(line, int) else 0


class DocumentHead:
    """The beginning of a document: its root, and which elements stand how deep in it."""

    def __init__(self, data: bytes) -> None:
        """Read the beginning; raises ``UnreadableFile`` where it is no XML, or declares entities."""
        parser = _parser()
        self.elements: list[tuple[int, str]] = []
        """Depth, from 0, and name of the elements in their order."""
        depth, why = 0, "no element begins in its first 256 KiB"
        try:
            parser.feed(data)
        except etree.XMLSyntaxError as error:
            why = _fault(error)
        for event, element in islice(_events(parser), 20_000):
            if event == "start":
                declared = element.getroottree().docinfo.internalDTD if not self.elements else None
                if declared is not None and any(True for _ in declared.iterentities()):  # type: ignore[attr-defined]
                    raise UnreadableFile(
                        "it declares entities, which are never expanded; remove its <!DOCTYPE ...> and them"
                    )
                self.elements.append((depth, str(element.tag)))
            depth += 1 if event == "start" else -1
        if not self.elements:
            raise UnreadableFile(f"it is no sound XML: {why}")

    def names(self) -> set[str]:
        """The names of all elements seen."""
        return {name for _, name in self.elements}

    def usual_records(self) -> str:
        """The name of the element that a record most probably is: the outermost with parts that comes again.

        Raises ``UnreadableFile`` where nothing stands in the root.
        """
        if len(self.elements) == 1:
            raise UnreadableFile("it holds no record: nothing stands in its root")
        whole = [(depth, name) for (depth, name), (below, _) in pairwise(self.elements) if below > depth]
        for level in (1, 2, 3):
            number = Counter(name for depth, name in whole if depth == level)
            if number and number.most_common(1)[0][1] > 1:
                return number.most_common(1)[0][0]
        outer = [name for depth, name in self.elements if depth == 1]
        return outer[0] if len(outer) == 1 and (1, outer[0]) in whole else self.elements[0][1]


def _parser(tag: list[str] | None = None) -> etree.XMLPullParser:
    return etree.XMLPullParser(
        events=("start", "end"),
        tag=tag,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )


def _events(parser: etree.XMLPullParser) -> Iterator[tuple[str, etree._Element]]:
    return cast("Iterator[tuple[str, etree._Element]]", parser.read_events())


def _fault(error: etree.XMLSyntaxError) -> str:
    return str(error.msg or error).split("\n")[0][:300]


def elements(stream: IO[bytes], wanted: list[str], longest: int) -> Iterator[etree._Element]:
    """The outermost elements of some names, each until the next is read.

    Raises ``UnreadableFile``, without the file's name, at what is no sound XML, or behind more than
    ``longest`` bytes without a record.
    """
    parser = _parser(wanted)
    depth = since = 0
    data = b"-"
    broken: etree.XMLSyntaxError | None = None
    while data:
        data = stream.read(_CHUNK)
        try:
            if data:
                parser.feed(data)
            else:
                parser.close()
        except etree.XMLSyntaxError as error:
            broken = error
        since += len(data)
        for event, element in _events(parser):
            depth += 1 if event == "start" else -1
            if event == "end" and depth == 0:
                since = 0
                yield element
                element.clear()  # and what stands before it, to free what was read
                parent = element.getparent()
                while parent is not None and element.getprevious() is not None:
                    del parent[0]
        if broken is not None:
            raise UnreadableFile(f"line {broken.lineno}: it is no sound XML, or cut short: {_fault(broken)}")
        if since > longest:
            raise UnreadableFile(
                f"more than {longest:,} bytes of it hold no whole record; name the element of a record under"
                " read: records in the mapping, or raise ingest.limits.record"
            )


def records(
    stream: IO[bytes], wanted: list[str], longest: int, read: Callable[[etree._Element], _Read]
) -> Iterator[_Read]:
    """What ``read`` makes of every record."""
    spaces = {name.rpartition("}")[2]: name.rpartition("}")[0][1:] for name in wanted if name.startswith("{")}
    bare = [local for local in spaces if local not in wanted]
    for element in elements(stream, wanted + bare, longest):
        if element.tag in bare:  # some programs forget to declare the namespace
            space = spaces[str(element.tag)]
            for inner in element.iter(etree.Element):
                if not str(inner.tag).startswith("{"):
                    inner.tag = f"{{{space}}}{inner.tag}"
        yield read(element)
