"""Exports of EMu in XML: tables of tuples of atoms, whose names stand in attributes.

A record becomes one whose elements have these names, so that ``TitMainTitle`` is a path into it. EMu writes
the columns of an inner table as parallel lists: the texts of all its rows are lines of one atom, whose name
ends in ``_tab``. Each line becomes an element of its own.
"""

import re
from copy import copy
from typing import Final

from lxml import etree

_NAME: Final = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_LIST: Final = "_tab"


def is_record(element: etree._Element) -> bool:
    """Whether an element is a record of EMu: a tuple that has named atoms."""
    return element.tag == "tuple" and any(child.tag == "atom" and child.get("name") for child in element)


def name_parts(element: etree._Element) -> None:
    """Name the parts of a record, within it, by what their attributes call them.

    >>> record = etree.fromstring(
    ...     '<tuple><atom name="Title" type="text">Bridge</atom>'
    ...     '<atom name="Role_tab">Artist\\nPrinter</atom></tuple>'
    ... )
    >>> name_parts(record)
    >>> etree.tostring(record).decode()
    '<tuple><Title>Bridge</Title><Role_tab>Artist</Role_tab><Role_tab>Printer</Role_tab></tuple>'
    """
    for part in list(element.iter("atom", "table", "tuple")):
        name = part.get("name", "")
        if part is element or not _NAME.fullmatch(name):
            continue
        is_list = part.tag == "atom" and name.endswith(_LIST)
        part.tag = name
        for attribute in {"name", "size", "type"} & set(part.attrib):
            del part.attrib[attribute]
        if is_list and part.text and "\n" in part.text:
            _divide(part, part.text.split("\n"))


def _divide(part: etree._Element, lines: list[str]) -> None:
    """Make an element of each line, in the place of one that has them all."""
    part.text = lines[0].strip()
    for line in lines[:0:-1]:
        other = copy(part)
        other.text = line.strip()
        part.addnext(other)
