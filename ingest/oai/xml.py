"""XML from strangers: no DTD, no entities, nothing from the network, and mended where servers usually err."""

import codecs
import re
from contextlib import suppress
from html.entities import html5
from typing import Final

from lxml import etree

from ingest.errors import AnswerTooLarge, BrokenAnswer

_MOST_NODES: Final = 1_000_000
_ENCODINGS: Final = re.compile(
    r"utf-?8|utf-?16(-?[bl]e)?|us-ascii|ascii|iso-?8859-?\d+|latin-?1|windows-?125\d|cp125\d|koi8-[ru]",
    re.IGNORECASE,
)
_DECLARATION: Final = re.compile(
    r"""\s*<\?xml\b(?:[^>]{0,200}?\bencoding\s{0,9}=\s{0,9}["']([\w.:-]+)["'])?[^>]{0,200}\?>"""
)
_LATIN_1: Final = re.compile("iso-?8859-?1|latin-?1", re.IGNORECASE)
_DECLARED_WITHIN: Final = 1000  # bytes: blank lines may stand before the declaration
_BLANK: Final = "\ufeff \t\r\n"
_PROLOG: Final = re.compile(r"(?:\s|<!--.*?-->|<\?.*?\?>)*", re.DOTALL)
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_REFERENCE: Final = re.compile(r"&#(x[0-9a-fA-F]+|[0-9]+);")
_AMPERSAND: Final = re.compile(r"&(?!#x?[0-9a-fA-F]+;|(?:amp|lt|gt|quot|apos);)(\w+;)?")


def parse(data: bytes, charset: str | None = None) -> etree._Element:
    """The root of a document.

    Control characters, which XML forbids, are taken out; a bare ampersand and the entities of HTML are read
    as what they mean; bytes that are not in the encoding that is named are read in the likeliest. Raises
    ``BrokenAnswer`` for no XML or a document type definition, ``AnswerTooLarge`` for too many elements.

    >>> parse(b"<a>caf\\xe9 &amp; th\\x01&eacute; R&D</a>").text
    'café & thé R&D'
    """
    text = _ILLEGAL.sub("", decoded(data, charset)).lstrip(_BLANK)
    if declaration := _DECLARATION.match(text):
        text = text[declaration.end() :]
    if text.count("<") + text.count("=") > _MOST_NODES:
        raise AnswerTooLarge("the XML has too many elements; ask the source for smaller pages")
    with suppress(etree.XMLSyntaxError):
        return _read(text)
    try:
        return _read(_AMPERSAND.sub(_legal_ampersand, _REFERENCE.sub(_legal_reference, text)))
    except etree.XMLSyntaxError as error:
        raise BrokenAnswer(f"the answer is no well-formed XML ({error.msg})") from None


def _read(text: str) -> etree._Element:
    """The root of a text without a declaration; the check for a DTD sees the very text that is parsed."""
    text = text.lstrip(_BLANK)
    prolog = _PROLOG.match(text)
    if text.startswith(("<!DOCTYPE", "<!ENTITY"), prolog.end() if prolog else 0):
        raise BrokenAnswer("the XML has a document type definition, which is not read; ask for it without")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, encoding="utf-8"
    )
    return etree.fromstring(text.encode("utf-8"), parser)


def _legal_reference(match: re.Match[str]) -> str:
    digits = match[1]
    code = int(digits[1:], 16) if digits[0] == "x" else int(digits[:9])
    return "" if code > 0x10FFFF or _ILLEGAL.match(chr(code)) else match[0]


def _legal_ampersand(match: re.Match[str]) -> str:
    name = match[1] or ""
    return html5[name].replace("&", "&amp;").replace("<", "&lt;") if name in html5 else "&amp;" + name


def decoded(data: bytes, charset: str | None = None) -> str:
    """The text of a document, in the encoding that it is really in.

    That is the one of its byte order mark, or else the first of these in which its bytes are sound: UTF-8,
    what its XML declaration says, ``charset`` (what HTTP says), Windows-1252.
    """
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if data[:2] in (b"<\0", b"\0<"):
        return data.decode("utf-16-le" if data[:1] == b"<" else "utf-16-be", "replace")
    declaration = _DECLARATION.match(data[:_DECLARED_WITHIN].decode("latin-1"))
    declared = (declaration and declaration[1]) or ""
    # bytes that are sound UTF-8 are UTF-8, whatever is declared: the contrary is all but impossible
    for encoding in ("utf-8", declared, charset or "", "windows-1252"):
        if _ENCODINGS.fullmatch(encoding) and "16" not in encoding[:6]:
            # who says Latin-1 and writes its control characters means the quotes and dashes of Windows-1252
            real = "windows-1252" if _LATIN_1.fullmatch(encoding) else encoding
            with suppress(UnicodeDecodeError, LookupError):
                return data.decode(real)
    return data.decode("latin-1")
