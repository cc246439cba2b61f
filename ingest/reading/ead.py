"""Encoded Archival Description (EAD 2002, EAD 3): a row for each component of a finding aid, or for all.

A component is described from the general to the particular (ISAD(G), rules of multilevel description): what
it lacks of creator, dates, repository and language holds of it from the series or the collection that it
lies in, and stands in its row. Titles above it are in ``part_of``, from the collection down.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from lxml import etree

from ingest.reading.row import CellRow, Json
from ingest.reading.xml import text_of

DescriptionUnit: TypeAlias = Literal["components", "lowest", "collection"]
"""What a record is: every component, each that holds no other, or the whole finding aid."""

_SPACES: Final = ("", "{urn:isbn:1-931666-22-9}", "{http://ead3.archivists.org/schema/}")
ROOTS: Final = [f"{space}{name}" for space in _SPACES for name in ("ead", "c", "c01")]
"""The outermost elements: a finding aid, or components that stand alone."""
SIGNS: Final = {f"{space}{name}" for space in _SPACES for name in ("archdesc", "did")}
"""Elements that tell EAD from other XML."""

_COMPONENT: Final = re.compile(r"c(?:0[1-9]|1[0-2])?")
_INHERITED: Final = ("origination", "unitdate", "repository", "langmaterial")
_IN_DID: Final = ("unitid", "unittitle", "physdesc", "abstract", "materialspec", "langmaterial")
_NOTES: Final = ("scopecontent", "bioghist", "odd", "note", "arrangement", "acqinfo", "custodhist")
_INDEXED: Final = (
    *("subject", "genreform", "persname", "famname", "corpname", "name", "geogname", "occupation"),
    *("function", "title"),
)
_XLINK: Final = "{http://www.w3.org/1999/xlink}href"


def from_element(
    element: etree._Element, described: DescriptionUnit
) -> Iterator[tuple[etree._Element, CellRow]]:
    """The components of a finding aid, or of one that stands alone, each with its row."""
    top = _first(element, "archdesc") if _name(element) == "ead" else element
    if top is None:
        return
    for line in [one for one in element.iter(etree.Element) if _name(one) == "lb"]:
        line.tail = f" {line.tail or ''}"
    aid = _FindingAid(element, top)
    if described == "collection" or not aid.components:
        yield top, aid.row(top)
        return
    seen: set[str] = set()
    for node in aid.components:
        if described == "lowest" and _inner(node):
            continue
        row = aid.row(node)
        if str(row["id"]) in seen:  # some number the maps on one sheet alike
            row["id"] = f"{row['id']}/{aid.place(node)}"
        seen.add(str(row["id"]))
        yield node, row


class _FindingAid:
    """A finding aid: its components, and what each of those that hold others says, which is read once."""

    def __init__(self, root: etree._Element, top: etree._Element) -> None:
        self.components = [node for node in top.iter(etree.Element) if _is_component(node)]
        self._top, self._texts = top, dict[etree._Element, dict[str, list[Json]]]()
        self._places: dict[etree._Element, str] = {}
        number: Counter[etree._Element | None] = Counter()
        for node in self.components:
            parent = node.getparent()
            number[parent] += 1
            above = next(map(self.place, filter(_is_component, node.iterancestors())), "")
            self._places[node] = f"{above}.{number[parent]}".lstrip(".")
        self._name = self._named(root)

    def row(self, node: etree._Element) -> CellRow:
        """What a component says, what it inherits, and what it lies in."""
        own = _own(node)
        chain = [above for above in node.iterancestors() if _is_described(above)]
        row: dict[str, Json] = {**own}
        for name in _INHERITED:
            if name not in row:
                above = next((texts for one in chain if (texts := self._of(one).get(name))), None)
                if above:
                    row[name] = above
        titles = [text for one in chain[::-1] for text in self._of(one).get("unittitle", ())]
        if titles:
            row["part_of"] = list[Json](titles)
        row["level"] = str(node.get("level") or node.get("otherlevel") or "")
        row["id"] = self._identifier(node, own)
        return row

    def place(self, node: etree._Element) -> str:
        """Where a component stands among its like, from the top: 2.13 is the thirteenth in the second."""
        return self._places.get(node, "")

    def _of(self, node: etree._Element) -> dict[str, list[Json]]:
        if node not in self._texts:
            self._texts[node] = _own(node)
        return self._texts[node]

    def _identifier(self, node: etree._Element, own: dict[str, list[Json]]) -> str:
        """What names a component: the name of the finding aid, then its own id, its unitid, or its place."""
        if node is self._top and self._name:
            return self._name
        unit = str(next(iter(own.get("unitid", ())), ""))
        return "/".join(filter(None, (self._name, str(node.get("id") or unit or self.place(node)))))

    def _named(self, root: etree._Element) -> str:
        """What names the whole: its id, its number, its address, its unitid, or the id of what holds it."""
        header = next(
            (one for name in ("eadheader", "control") if (one := _first(root, name)) is not None), None
        )
        inside = header.iter(etree.Element) if header is not None else ()
        wanted = [one for one in inside if _name(one) in ("eadid", "recordid", "num")]
        names = [str(one.get("identifier") or _written(one)) for one in wanted if _name(one) != "num"]
        names += [_written(one) for one in wanted if _name(one) == "num"]
        names += [str(one.get("url") or "") for one in wanted]
        if _name(self._top) == "archdesc":
            names += map(str, self._of(self._top).get("unitid", ()))
        parent = self._top.getparent()
        names += [str(parent.get("id") or "")] if parent is not None else []
        return next(filter(None, names), "")


def _own(node: etree._Element) -> dict[str, list[Json]]:
    """What the element itself says, by the names of EAD."""
    texts: dict[str, list[Json]] = {}
    did = _first(node, "did")
    for name, text in (*(_identified(did) if did is not None else ()), *_noted(node), *_linked(node, did)):
        if text and text not in texts.setdefault(name, []):
            texts[name].append(text)
    return {name: some for name, some in texts.items() if some}


def _identified(did: etree._Element) -> Iterator[tuple[str, str]]:
    """The texts of the descriptive identification; a date within a title where there is no other."""
    dated = False
    for child in did.iterchildren(etree.Element):
        name = _name(child)
        if name in _IN_DID:
            yield name, _written(child)
        elif name in ("origination", "repository"):
            names = [inner for inner in child.iterchildren(etree.Element) if _name(inner) in _INDEXED]
            yield from ((name, _written(one)) for one in names or [child])
        elif name in ("unitdate", "unitdatestructured"):
            dated = True
            yield "unitdate", _date(child)
    if not dated:
        inside = (one for one in did.iterdescendants(etree.Element) if _name(one) in ("unitdate", "date"))
        yield from (("unitdate", _date(one)) for one in inside)


def _noted(node: etree._Element) -> Iterator[tuple[str, str]]:
    """The paragraphs of notes, and the terms of access."""
    for child in node.iterchildren(etree.Element):
        name = _name(child)
        if name in _NOTES:
            paragraphs = (one for one in child.iterchildren(etree.Element) if _name(one) != "head")
            yield from ((name, _written(one)) for one in paragraphs)
        elif name == "controlaccess":
            terms = (one for one in child.iterdescendants(etree.Element) if _name(one) in _INDEXED)
            yield from ((_name(one), _written(one, " -- ")) for one in terms)


def _linked(node: etree._Element, did: etree._Element | None) -> Iterator[tuple[str, str]]:
    """Addresses of pictures and of other digital objects."""
    for digital in _digital(node, did):
        for inner in digital.iter(etree.Element):
            yield "dao", str(inner.get(_XLINK) or inner.get("href") or "")


def _digital(node: etree._Element, did: etree._Element | None) -> Iterator[etree._Element]:
    """The elements with addresses of pictures and of other digital objects."""
    for parent in (node, did):
        children = parent.iterchildren(etree.Element) if parent is not None else ()
        yield from (child for child in children if _name(child) in ("dao", "daogrp", "daoset"))


def _date(element: etree._Element) -> str:
    """A date as it is written; of a structured one of EAD 3 its ends."""
    if _name(element) != "unitdatestructured":
        return _written(element)
    ends = [_written(inner) for inner in element.iterdescendants(etree.Element) if not len(inner)]
    return "-".join(end for end in ends if end)


def _written(element: etree._Element, between: str = " ") -> str:
    """The text of an element; parts of a name of EAD 3 stand apart."""
    parts = [inner for inner in element.iterchildren(etree.Element) if _name(inner) == "part"]
    return between.join(" ".join(text_of(one).split()) for one in parts or [element])


def _name(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _is_component(element: etree._Element) -> bool:
    return _COMPONENT.fullmatch(_name(element)) is not None


def _is_described(element: etree._Element) -> bool:
    return _is_component(element) or _name(element) == "archdesc"


def _inner(element: etree._Element) -> bool:
    """Whether a component holds others."""
    return any(_is_component(node) for node in element.iterchildren(etree.Element))


def _first(element: etree._Element, name: str) -> etree._Element | None:
    return next((child for child in element.iterchildren(etree.Element) if _name(child) == name), None)
