"""Files made to do harm in the forms of archives, libraries and museums, and in merged cells.

They are read by the shipped mapping that the beginning of their name names, up to the full stop.
"""

import gzip
from collections.abc import Callable

MIB = 1024 * 1024
_MANY = 200_000


def ead(components: str, head: str = "") -> bytes:
    """A finding aid."""
    return (
        f'{head}<ead xmlns="urn:isbn:1-931666-22-9"><archdesc level="fonds"><did/>'
        f"<dsc>{components}</dsc></archdesc></ead>"
    ).encode()


def tei(description: str, text: str = "") -> bytes:
    """A text with the description of a manuscript."""
    return (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title/></titleStmt>'
        f"<sourceDesc><msDesc>{description}</msDesc></sourceDesc></fileDesc></teiHeader>{text}</TEI>"
    ).encode()


def marc(fields: str, head: str = "") -> bytes:
    """A collection of one record of MARCXML."""
    return (
        f'{head}<collection xmlns="http://www.loc.gov/MARC21/slim"><record>{fields}</record></collection>'
    ).encode()


def mods(content: str, head: str = "") -> bytes:
    """One record of MODS."""
    return f'{head}<mods xmlns="http://www.loc.gov/mods/v3">{content}</mods>'.encode()


def edm(graph: str) -> bytes:
    """An answer of EDM in JSON-LD."""
    return ('{"@context": "http://www.europeana.eu/schemas/edm/", "@graph": ' + graph + "}").encode()


def _laughs(root: str) -> str:
    levels = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
    return f"<!DOCTYPE {root} [<!ENTITY l0 'lol'>{levels}]>"


FORMS: dict[str, Callable[[], bytes]] = {
    "ead.deep.xml": lambda: ead("<c>" * 100_000 + "</c>" * 100_000),
    "ead.deep-and-cut.xml": lambda: ead("<c><did/>" * 100_000),
    "ead.numbered-deep.xml": lambda: ead("<c01><c12>" * 40_000),
    "ead.laughs.xml": lambda: ead("<c><did><unittitle>&l9;</unittitle></did></c>", _laughs("ead")),
    "ead.inherited.xml": lambda: ead(f"<c><did><unittitle>{'x' * 12 * MIB}</unittitle></did><c/></c>"),
    "ead.components-without-anything.xml": lambda: ead("<c/>" * _MANY),
    "ead.cut.xml": lambda: ead("<c><did><unitid>1</unitid></did></c>")[:-30],
    "ead.dates.xml": lambda: ead(f"<c><did>{'<unitdate>1800</unitdate>' * 600_000}</did></c>"),
    "ead.inclusion.xml": lambda: ead(
        '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd" parse="text"/><c/>'
    ),
    "tei.deep.xml": lambda: tei("<history>" * 100_000),
    "tei.terms.xml": lambda: tei(f"<msIdentifier>{'<idno/>' * 2_000_000}</msIdentifier>"),
    "tei.text-of-megabytes.xml": lambda: tei("", f"<text>{'<p>x</p>' * 2_000_000}</text>"),
    "tei.nothing-in-it.xml": lambda: tei(""),
    "tei.cut.xml": lambda: tei("<msIdentifier/>")[:-5],
    "marcxml.laughs.xml": lambda: marc('<controlfield tag="001">&l9;</controlfield>', _laughs("collection")),
    "marcxml.fields.xml": lambda: marc(
        '<datafield tag="650"><subfield code="a">x</subfield></datafield>' * _MANY
    ),
    "marcxml.without-an-id.xml": lambda: marc('<controlfield tag="003">x</controlfield>'),
    "marcxml.deep.xml": lambda: marc('<datafield tag="245">' * 100_000),
    "mods.deep.xml": lambda: mods("<relatedItem>" * 100_000 + "</relatedItem>" * 100_000),
    "mods.laughs.xml": lambda: mods("<titleInfo><title>&l9;</title></titleInfo>", _laughs("mods")),
    "mods.names.xml": lambda: mods("<name><namePart>x</namePart></name>" * 400_000),
    "mods.no-record.xml": lambda: mods(""),
    "oai-dc.empty.xml": lambda: b'<dc xmlns="http://www.openarchives.org/OAI/2.0/oai_dc/"/>',
    "oai-dc.cut.xml": lambda: b'<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"><a>',
    "edm.deep.json": lambda: edm('{"a": [' * 50_000 + "]}" * 50_000),
    "edm.no-graph.json": lambda: edm("7"),
    "edm.a-graph-of-texts.json": lambda: edm('["x", "y"]'),
    "edm.cut.json": lambda: edm('[{"@type": "edm:ProvidedCHO"')[:-3],
    "edm.bomb.json.gz": lambda: gzip.compress(edm('["' + "x" * 300 * MIB + '"]'), 1),
    "omeka-s.numbers.json": lambda: b'[{"o:id": 1e999999}, {"o:id": ' + b"9" * 100_000 + b"}]",
    "omeka-s.deep.json": lambda: b'[{"o:id": 1, "a": ' + b"[" * 100_000,
}
