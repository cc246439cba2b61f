"""What mappings do to single texts: HTML out, names of makers in the order in which they are read."""

import re
from html.parser import HTMLParser

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


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in _SILENT
        if tag in _BREAKS:
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _SILENT and self._silent > 0
        if tag in _BREAKS:
            self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(data)


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
    """
    if "<" not in text and "&" not in text:
        return text
    parser = _Texts()
    parser.feed(text)
    parser.close()
    return "".join(parser.parts)


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
