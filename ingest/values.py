"""What mappings do to single texts: HTML out, names of makers in the order in which they are read."""

import html
import re
from collections.abc import Iterator

from lxml import etree

_SILENT = frozenset({"script", "style", "head", "template"})
_BREAKS = frozenset(
    [
        "address",
        "article",
        "blockquote",
        "br",
        "dd",
        "div",
        "dl",
        "dt",
        "figcaption",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "li",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "td",
        "th",
        "tr",
        "ul",
    ]
)
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>")


def has_html(text: str) -> bool:
    """Whether a text holds tags of HTML.

    >>> has_html("<p>View</p>"), has_html("c. <1800>, 3 < 4"), has_html("Tom &amp; Jerry")
    (True, False, False)
    """
    return _TAG.search(text) is not None


def without_html(text: str) -> str:
    """The text alone: no tags, no scripts, entities as characters.

    >>> without_html("<p>View of <em>Venice</em></p><p>by &Eacute;douard</p>").split()
    ['View', 'of', 'Venice', 'by', 'Édouard']
    >>> without_html("3 < 4 &amp; 5")
    '3 < 4 & 5'
    """
    if not has_html(text):
        return html.unescape(text) if "&" in text else text
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(f"<body>{text}</body>".encode("utf-8", "replace"), parser)
    except etree.LxmlError:
        root = None
    if root is None:  # nothing of it is HTML after all
        return html.unescape(_TAG.sub(" ", text))
    return "".join(_texts(root))


def _texts(root: etree._Element) -> Iterator[str]:
    """The texts within, with a blank where a block or a line ends."""
    for event, element in etree.iterwalk(root, events=("start", "end")):
        block = element.tag in _BREAKS
        if event == "start" and element.tag not in _SILENT:
            yield " " * block + (element.text or "")
        elif event == "end":
            yield " " * block + (element.tail or "" if element is not root else "")


_LONGEST_NAME = 500
_DATES = re.compile(
    r"\s*[(\[,;]?\s*(?:b\.|born|geb\.|né|née|active|fl\.)?\s*(?:c\.|ca\.?|circa|um)?\s*\d{3,4}\??"
    r"\s*(?:[-–/]\s*(?:c\.|ca\.?)?\s*(?:\d{2,4}\??)?)?\s*[)\]]?\s*$"
)
_BEHIND = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")
_INVERTED = re.compile(r"([^\d,()]{2,60}), ([^\d,()]{1,60})$")
_NO_FORENAME = re.compile(
    r"(?i)(?:.*\b(?:inc|ltd|co|gmbh|sons|jr|sr|the elder|the younger|d\.\s?ä|d\.\s?j)\b\.?.*)$"
)


def plain_name(text: str) -> str:
    """A maker's name as it is read, without the years of a life and what stands in brackets behind it.

    >>> plain_name("Rijn, Rembrandt van (1606-1669)"), plain_name("Goya, Francisco de, 1746-1828")
    ('Rembrandt van Rijn', 'Francisco de Goya')
    >>> plain_name("Canaletto (painter)"), plain_name("Pieter Bruegel, the Elder"), plain_name("(unknown)")
    ('Canaletto', 'Pieter Bruegel, the Elder', '(unknown)')
    """
    name = text.strip()
    if len(name) > _LONGEST_NAME:
        return text
    while (shorter := _BEHIND.sub("", _DATES.sub("", name))) != name and shorter:
        name = shorter
    name = name.rstrip(",; ")
    inverted = _INVERTED.fullmatch(name)
    if inverted and not _NO_FORENAME.match(inverted[2]):
        return f"{inverted[2].strip()} {inverted[1].strip()}"
    return name or text
