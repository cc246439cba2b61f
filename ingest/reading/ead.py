"""Encoded Archival Description (EAD 2002, EAD 3): a row for each component of a finding aid, or for all.

A component is described from the general to the particular (ISAD(G), rules of multilevel description): what
it lacks of creator, dates, repository and language holds of it from the series or the collection that it
lies in, and stands in its row. Titles above it are in ``part_of``, from the collection down.
"""

import re
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
    parts = [node for node in top.iter(etree.Element) if _is_component(node)]
    if described == "collection" or not parts:
        yield top, _row(top, element)
        return
    seen: set[str] = set()
    for node in parts:
        if described == "lowest" and _inner(node):
            continue
        row = _row(node, element)
        if str(row["id"]) in seen:  # some number the maps on one sheet alike
            row["id"] = f"{row['id']}/{_place(_chain(node))}"
        seen.add(str(row["id"]))
        yield node, row


def _chain(node: etree._Element) -> list[etree._Element]:
    """The component and what it lies in, the outermost last."""
    return [node, *(above for above in node.iterancestors() if _is_described(above))]


def _row(node: etree._Element, root: etree._Element) -> CellRow:
    chain = _chain(node)
    row: dict[str, Json] = {**_own(node)}
    for name in _INHERITED:
        if name not in row:
            above = next((texts for one in chain[1:] if (texts := _own(one).get(name))), None)
            if above:
                row[name] = above
    titles = [text for one in chain[:0:-1] for text in _own(one).get("unittitle", ())]
    if titles:
        row["part_of"] = list[Json](titles)
    row["level"] = str(node.get("level") or node.get("otherlevel") or "")
    row["id"] = _identifier(node, root, chain)
    return row


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


def _identifier(node: etree._Element, root: etree._Element, chain: list[etree._Element]) -> str:
    """What names a component: the id of the finding aid, then its own, its unitid, or its place."""
    unit = [str(text) for text in _own(node).get("unitid", ())]
    top = chain[-1]
    aid = _of_aid(root) or [str(text) for text in _own(top).get("unitid", ())] * (_name(top) == "archdesc")
    parent = top.getparent()
    if not aid and parent is not None and parent.get("id"):
        aid = [str(parent.get("id"))]
    if node is top and aid:
        return aid[0]
    return "/".join((*aid[:1], str(node.get("id") or next(iter(unit), "") or _place(chain))))


def _of_aid(root: etree._Element) -> list[str]:
    """What names a finding aid: its id, its number where the id is empty, else its address."""
    wanted = [one for one in root.iter(etree.Element) if _name(one) in ("eadid", "recordid", "num")]
    texts = [str(one.get("identifier") or _written(one)) for one in wanted if _name(one) != "num"]
    texts += [_written(one) for one in wanted if _name(one) == "num"]
    return [text for text in (*texts, *(str(one.get("url") or "") for one in wanted)) if text]


def _place(chain: list[etree._Element]) -> str:
    """Where a component stands among its like, from the top: 2.13 is the thirteenth in the second."""
    components = [one for one in chain[::-1] if _is_component(one)]
    return ".".join(
        str(1 + sum(_is_component(before) for before in one.itersiblings(etree.Element, preceding=True)))
        for one in components
    )


def _written(element: etree._Element, between: str = " ") -> str:
    """The text of an element, lines apart; parts of a name of EAD 3 stand apart too."""
    for line in [one for one in element.iterdescendants(etree.Element) if _name(one) == "lb"]:
        line.tail = f" {line.tail or ''}"
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
