"""What mappings do to single texts: MARC subfields, HTML out, makers' names, addresses of authorities."""

import html
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from lxml import etree

_MARC_FIELD: Final = re.compile(r"[\d #_\\]{0,3}\s*([$‡ǂ|\x1f])[a-z0-9](?=\s*\S)")
_MARC_SUBFIELD: Final = re.compile(r"([$‡ǂ|\x1f])[a-z]")
_HIDDEN: Final = frozenset({"script", "style", "head", "template"})
_BLOCKS: Final = frozenset(
    (
        *("address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "h1", "h2", "h3"),
        *("h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"),
    )
)
_TAG: Final = re.compile(r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>")
_LONGEST_NAME: Final = 500
_LIFE: Final = (
    r"\s*(?:b\.|born|geb\.|né|née|active|fl\.)?\s*(?:c\.|ca\.?|circa|um)?\s*\d{3,4}\??"
    r"\s*(?:[-–/]\s*(?:c\.|ca\.?)?\s*(?:\d{2,4}\??)?)?\s*"
)
_DATES: Final = re.compile(rf"(?:\s*[(\[]{_LIFE}[)\]]|\s*[,;]?{_LIFE})\s*$")
_OPEN: Final = re.compile(r"[(\[][^()\[\]]*$")
_BEHIND: Final = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")
_INVERTED: Final = re.compile(r"([^\d,()]{2,60}), ([^\d,()]{1,60})$")
_NO_FORENAME: Final = re.compile(
    r"(?i)(?:.*\b(?:inc|ltd|co|gmbh|sons|jr|sr|the elder|the younger|d\.\s?ä|d\.\s?j)\b\.?.*)$"
)
_FIRM: Final = re.compile(
    r"(?i)\b(?:anonym\w*|unknown|unbekannt\w*|onbekend\w*|inconnu\w*|manufactory|manufaktur|manufacture|factory|fabri\w+"
    r"|works|workshop|werkstatt|atelier|studio|press|verlag|publish\w+|uitgever\w*|imprimerie|company|compan\w+"
    r"|museum|school|university|brothers|frères|gebrüder|society|institut\w*|co)\b|&"
)
"""What is no surname: behind the comma stands the place of a firm, or a nation."""
_MOJIBAKE: Final = re.compile("[Â-ô][\u0080-¿Œ-ž‚-›€™]")
"""What two or more bytes of one letter become where each is read as a letter."""
_SEPARATOR: Final = re.compile("[\x0b\x0c\x1c-\x1f]")
_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1b\x7f]")
_LATIN_CONTROL: Final = re.compile("[\x80-\x9f]")
_WIKIDATA, _GEONAMES = "http://www.wikidata.org/entity/{}", "http://sws.geonames.org/{}"
_GETTY, _VIAF, _GND = "http://vocab.getty.edu/{}/{}", "http://viaf.org/viaf/{}", "https://d-nb.info/gnd/{}"
_LONG_FORMS: Final = (  # what follows http:// or https://
    (re.compile(r"(?:\w+\.)?wikidata\.org/(?:wiki|entity)/(Q\d+)"), _WIKIDATA),
    (re.compile(r"(?:\w+\.)?geonames\.org/(\d+)"), _GEONAMES),
    (re.compile(r"vocab\.getty\.edu/(?:page/)?(aat|tgn|ulan)/(\d+)"), _GETTY),
    (re.compile(r"(?:www\.)?getty\.edu/vow/(AAT|TGN|ULAN)\w*\?.*subjectid=(\d+)"), _GETTY),
    (re.compile(r"(?:www\.)?viaf\.org/viaf/(\d+)"), _VIAF),
    (re.compile(r"d-nb\.info/gnd/([\dX-]+)"), _GND),
    (re.compile(r"(?:www\.)?iconclass\.org/(?:rkd/)?([^/?#]+)"), "http://iconclass.org/{}"),
)
_SHORT_FORMS: Final = (
    (re.compile(r"(?:wd:|wikidata:)?(Q\d{1,10})"), _WIKIDATA),
    (re.compile(r"(aat|tgn|ulan):(\d{6,})"), _GETTY),
    (re.compile(r"viaf:(\d+)"), _VIAF),
    (re.compile(r"geonames:(\d+)"), _GEONAMES),
    (re.compile(r"gnd:([\dX-]+)"), _GND),
)


def has_subfields(text: str) -> bool:
    """Whether a text begins as a MARC field does: indicators or none, a delimiter, the code of a subfield."""
    return _MARC_FIELD.match(text) is not None


def delimiter(text: str) -> str | None:
    """What stands in front of the codes of MARC subfields, for instance ``$``; None where there is none."""
    return match[1] if (match := _MARC_FIELD.match(text) or _MARC_SUBFIELD.search(text)) else None


def subfields(text: str, codes: str) -> list[str]:
    """The texts of the MARC subfields with these codes, in the order of the field.

    What stands in front of the first delimiter and is no indicator is subfield ``a``, whose code some systems
    leave out; so is a text without any subfield.
    """
    mark = delimiter(text)
    front, *fields = re.split(f"{re.escape(mark)}(?=[a-z0-9])", text) if mark else [text]
    if has_subfields(text):
        front = ""  # indicators
    coded = [("a", front), *((field[0], field[1:]) for field in fields)]
    return [content.strip() for code, content in coded if code in codes and content.strip()]


def has_html(text: str) -> bool:
    """Whether a text holds tags of HTML."""
    return _TAG.search(text) is not None


def without_html(text: str) -> str:
    """The text alone: no tags, no scripts, entities as characters."""
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
        block = element.tag in _BLOCKS
        if event == "start" and element.tag not in _HIDDEN:
            yield " " * block + (element.text or "")
        elif event == "end":
            yield " " * block + (element.tail or "" if element is not root else "")


def plain_name(text: str) -> str:
    """A maker's name as it is read, without the years of a life and what stands in brackets behind it.

    >>> plain_name("Rijn, Rembrandt van (1606-1669)"), plain_name("Sèvres, France"), plain_name("Hals, Frans")
    ('Rembrandt van Rijn', 'Sèvres, France', 'Frans Hals')
    """
    name = text.strip()
    if len(name) > _LONGEST_NAME:
        return text
    while (shorter := _BEHIND.sub("", _without_years(name))) != name and shorter:
        name = shorter
    name = name.rstrip(",; ")
    inverted = _INVERTED.fullmatch(name)
    if inverted and not _NO_FORENAME.match(inverted[2]) and not _is_of_place(inverted):
        return f"{inverted[2].strip()} {inverted[1].strip()}"
    return name or text


def _without_years(name: str) -> str:
    """A name without the years of a life, of which no half of a bracket is left."""
    shorter = _DATES.sub("", name)
    return name if _OPEN.search(shorter) else shorter


@cache
def _nations() -> frozenset[str]:
    """Countries and nations, as catalogues write them behind a name."""
    return frozenset((Path(__file__).parent / "nations.txt").read_text(encoding="utf-8").splitlines())


def _is_of_place(inverted: re.Match[str]) -> bool:
    """Whether what stands behind the comma is no forename but the place of a firm, or a nation."""
    return bool(_FIRM.search(inverted[1])) or inverted[2].strip().casefold() in _nations()


def repaired(text: str) -> str:
    """A text that was UTF-8 and was read as Windows-1252, as it was; any other text as it is.

    >>> repaired("CafÃ© de la MusÃ©e"), repaired("Ã\x81vila"), repaired("Café"), repaired("SÃO PAULO")
    ('Café de la Musée', 'Ávila', 'Café', 'SÃO PAULO')
    """
    if _MOJIBAKE.search(text) is None:
        return text
    try:
        # the five bytes that Windows-1252 has no letter for come as control characters, which Latin-1 has
        data = (mark.encode("latin-1" if mark <= "\xff" else "cp1252") for mark in text)
        return b"".join(data).decode("utf-8")
    except UnicodeError:
        return text


def without_controls(text: str) -> str:
    r"""A text without control characters but tabs and line breaks.

    Those of ISO 8859 from 0x80 are what Windows-1252 has there, which was read as Latin-1. Of the others
    those that separate become blanks, as the vertical tab of databases for a line break, and the rest goes.

    >>> without_controls("Kaufmann\x92s \x93Store\x94\x00\x0bPittsburgh")
    'Kaufmann’s “Store” Pittsburgh'
    """
    printable = _CONTROL.sub("", _SEPARATOR.sub(" ", text))
    return _LATIN_CONTROL.sub(lambda mark: mark[0].encode("latin-1").decode("cp1252", "ignore"), printable)


def entity_address(text: str) -> str | None:
    """The one address of a thing that an authority names, whatever form of it a record has.

    The authorities are GeoNames, AAT, TGN, ULAN, Wikidata, VIAF, GND and Iconclass; other web addresses stay.
    None where the text is no web address and no short form of one.
    """
    written = text.strip()
    for short, form in _SHORT_FORMS:
        if match := short.fullmatch(written):
            return form.format(*match.groups())
    scheme, separated, rest = written.partition("://")
    if not separated or scheme.lower() not in ("http", "https") or not rest or len(written) > 2000:
        return None
    for known, form in _LONG_FORMS:
        if match := known.match(rest):
            return form.format(*(group.lower() if group.isalpha() else group for group in match.groups()))
    return f"{scheme.lower()}://{rest.rstrip('/')}" if " " not in rest else None
