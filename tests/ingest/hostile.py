"""Files made to do harm, each by a function that gives its bytes.

``python -m tests.ingest.hostile FOLDER`` reads them.
The reading process may have 256 MB of memory and a minute of processor time a file, whatever else the machine
does. What became of each is a line of JSON.
"""

import gzip
import io
import json
import resource
import signal
import struct
import sys
import tarfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import yaml

from tests.documents import ROOT
from tests.ingest.hostile_forms import FORMS

MIB = 1024 * 1024
MEMORY = 256 * MIB
SECONDS = 60
"""Processor time; a file that does its harm never ends."""
ROW = "<object><id>1</id><title>View</title></object>"
LIDO = 'xmlns:lido="http://www.lido-schema.org"'
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def xml(body: str, before: str = "") -> bytes:
    return f"<?xml version='1.0'?>{before}<objects>{body}</objects>".encode()


def laughs() -> str:
    levels = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
    return f"<!DOCTYPE objects [<!ENTITY l0 'lol'>{levels}]>"


def titled(text: str) -> str:
    return f"<object><id>1</id><title>{text}</title></object>"


def external(address: str) -> bytes:
    return xml(titled("&x;"), f'<!DOCTYPE objects [<!ENTITY x SYSTEM "{address}">]>')


XML: dict[str, Callable[[], bytes]] = {
    "laughs.xml": lambda: xml(titled("&l9;"), laughs()),
    "laughs-in-an-attribute.xml": lambda: xml('<object a="&l9;"><id>1</id></object>', laughs()),
    "laughs-in-utf16.xml": lambda: xml(titled("&l9;"), laughs()).decode().encode("utf-16"),
    "quadratic.xml": lambda: xml(titled("&x;" * 50_000), f"<!DOCTYPE o [<!ENTITY x '{'y' * 50_000}'>]>"),
    "entity-of-a-file.xml": lambda: external("file:///etc/passwd"),
    "entity-of-the-web.xml": lambda: external("http://127.0.0.1:9/x"),
    "entity-of-ftp.xml": lambda: external("ftp://127.0.0.1:9/x"),
    "parameter-entity.xml": lambda: xml(
        ROW, '<!DOCTYPE o [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]>'
    ),
    "entity-of-itself.xml": lambda: xml(titled("&a;"), "<!DOCTYPE o [<!ENTITY a '&b;'><!ENTITY b '&a;'>]>"),
    "entity-that-nobody-declared.xml": lambda: xml(titled("caf&eacute;")),
    "dtd-of-the-web-and-its-entity.xml": lambda: xml(
        titled("caf&eacute;"), '<!DOCTYPE objects SYSTEM "http://127.0.0.1:9/x.dtd">'
    ),
    "dtd-unfinished.xml": lambda: b"<!DOCTYPE objects [<!ENTITY a 'b'>",
    "dtd-of-megabytes.xml": lambda: xml(ROW, "<!DOCTYPE o [" + "<!ENTITY a 'b'>" * 300_000 + "]>"),
    "deep.xml": lambda: xml("<a>" * 200_000),
    "deep-in-a-record.xml": lambda: xml(f"<object><id>1</id>{'<a>' * 5000}{'</a>' * 5000}</object>{ROW}"),
    "attribute-of-megabytes.xml": lambda: xml(f'<object a="{"x" * 12 * MIB}"/>'),
    "text-of-megabytes.xml": lambda: xml(titled("x" * 12 * MIB)),
    "cdata-of-megabytes.xml": lambda: xml(titled(f"<![CDATA[{'x' * 12 * MIB}]]>")),
    "comment-of-megabytes.xml": lambda: xml(f"<!--{'x' * 12 * MIB}-->{ROW}"),
    "instruction-of-megabytes.xml": lambda: xml(f"<?x {'x' * 12 * MIB}?>{ROW}"),
    "attributes.xml": lambda: xml("<object " + " ".join(f'a{n}="1"' for n in range(400_000)) + "/>"),
    "namespaces.xml": lambda: xml("<object " + " ".join(f'xmlns:a{n}="u:{n}"' for n in range(60_000)) + "/>"),
    "name-of-a-megabyte.xml": lambda: xml(f"<{'x' * MIB}/>"),
    "siblings-without-a-record.xml": lambda: f"<lido:lidoWrap {LIDO}>{'<x/>' * 4 * MIB}".encode(),
    "record-of-megabytes.xml": lambda: xml(f"<object>{'<x/>' * 2 * MIB}</object>{ROW}"),
    "cut.xml": lambda: xml(ROW * 100)[:2000],
    "cut-in-a-tag.xml": lambda: b"<objects><object><id>1</i",
    "cut-at-once.xml": lambda: b"<",
    "noughts.xml": lambda: xml(titled("a\0b")),
    "only-noughts.xml": lambda: bytes(100_000),
    "nought-as-a-reference.xml": lambda: xml(titled("a&#0;b")),
    "control-characters.xml": lambda: xml(titled("a\x01\x02b")),
    "no-utf8.xml": lambda: xml(titled("caf")).replace(b"caf", b"caf\xe9\xff"),
    "wrong-encoding.xml": lambda: b"<?xml version='1.0' encoding='UTF-16'?><objects>" + ROW.encode(),
    "unknown-encoding.xml": lambda: b"<?xml version='1.0' encoding='klingon'?><objects/>",
    "utf7.xml": lambda: b"<?xml version='1.0' encoding='UTF-7'?>+ADw-objects+AD4-",
    "two-roots.xml": lambda: xml(ROW) + xml(ROW),
    "no-root.xml": lambda: b"<?xml version='1.0'?>",
    "empty.xml": lambda: b"",
    "blank.xml": lambda: b" " * MIB,
    "web-page.xml": lambda: (
        b"<!DOCTYPE html><html><head><meta charset=utf-8><title>x</title></head><body><br></html>"
    ),
    "picture.xml": lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 10,
    "tags-crossed.xml": lambda: b"<objects><object><id>1</object></id></objects>",
    "prefix-of-nobody.xml": lambda: b"<objects><a:object><id>1</id></objects>",
    "attribute-twice.xml": lambda: b"<objects><object a='1' a='2'/></objects>",
    "inclusion.xml": lambda: xml(
        '<object xmlns:xi="http://www.w3.org/2001/XInclude"><id>1</id>'
        '<title><xi:include href="file:///etc/passwd" parse="text"/></title></object>'
    ),
    "answer-without-records.xml": lambda: (
        b'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><error/></OAI-PMH>'
    ),
    "deep-edm.rdf": lambda: (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' + "<a>" * 5000
    ).encode(),
}

JSON: dict[str, Callable[[], bytes]] = {
    "deep-arrays.json": lambda: b"[" * 2_000_000,
    "deep-in-an-array.json": lambda: b'[{"id": ' + b"[" * 100_000 + b"]" * 100_000 + b"}]",
    "deep-objects.json": lambda: b'{"a":' * 500_000,
    "deep-records.json": lambda: b'{"records":' * 100_000 + b"[",
    "deep.jsonl": lambda: b'{"id": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "text-of-megabytes.json": lambda: b'[{"id": "' + b"x" * 12 * MIB + b'"}]',
    "text-without-end.json": lambda: b'[{"id": "' + b"x" * 12 * MIB,
    "lists-in-a-record.json": lambda: b'[{"id": "1", "title": [' + b"[]," * MIB + b"[]]}]",
    "keys.json": lambda: (
        '[{"id": ["1", "2"],' + ",".join(f'"k{n}": 1' for n in range(250_000)) + "}]"
    ).encode(),
    "number-of-a-megabyte.json": lambda: b'[{"id": ' + b"1" * MIB + b', "title": "x"}]',
    "number-too-large.json": lambda: b'[{"id": 1e999, "title": "x"}]',
    "not-a-number.json": lambda: b'[{"id": NaN, "title": "x"}]',
    "half-a-character.json": lambda: b'[{"id": "\\ud800", "title": "x"}]',
    "nought-in-an-id.json": lambda: b'[{"id": "a\\u0000", "title": "x"}]',
    "noughts.json": lambda: bytes(MIB),
    "blanks-of-megabytes.json": lambda: b" " * 12 * MIB + b"[]",
    "noughts.jsonl": lambda: b"\0\0\0\n" * 1000,
    "no-utf8.json": lambda: b'[{"id": "\xff\xfe\xfd", "title": "x"}]',
    "utf16-cut.json": lambda: '[{"id": "1"}]'.encode("utf-16")[:-3],
    "cut.json": lambda: b'[{"id": "1", "title": "a"}, {"id"',
    "cut-wrapper.json": lambda: b'{"items": [{"id": "1", "title": "a"}]',
    "array-behind-an-array.json": lambda: b"[] []",
    "text-alone.json": lambda: b'"records"',
    "number-alone.json": lambda: b"7",
    "null.json": lambda: b"null",
    "empty.json": lambda: b"",
    "no-records.json": lambda: b'{"items": []}',
    "array-of-texts.json": lambda: b'["a", "b"]',
    "truth.json": lambda: b'[{"id": true, "title": "x"}]',
    "commas.json": lambda: b"[" + b"," * 200_000 + b"]",
    "backslashes.json": lambda: b'[{"id": "' + b"\\" * 3_000_001,
    "quotes.json": lambda: b'"' * 3_000_000,
    "one-object-of-megabytes.json": lambda: b'{"a": "' + b"x" * 12 * MIB + b'"}',
    "page.json": lambda: b"<html>no such page</html>",
    "line-of-megabytes.jsonl": lambda: b'{"id": "' + b"x" * 20 * MIB + b'"}\n',
}

TABLES: dict[str, Callable[[], bytes]] = {
    "quote-without-end.csv": lambda: b'id,title\n1,"open\n' + b"x,y\n" * 3_000_000,
    "quotes.csv": lambda: b"id,title\n" + b'"' * 5_000_001,
    "cell-of-megabytes.csv": lambda: b"id,title\n1," + b"x" * 20 * MIB,
    "header-of-megabytes.csv": lambda: b"x" * 20 * MIB,
    "columns.csv": lambda: b"id,title" + b",x" * 500_000 + b"\n1,2\n",
    "cells.csv": lambda: b"id,title\n1" + b",x" * MIB + b"\n",
    "separators.csv": lambda: b"," * 3_000_000,
    "separators-in-a-row.csv": lambda: b"id,title\n" + b"," * 3_000_000 + b"\n",
    "noughts.csv": lambda: b"id,title\n\0,\0\n",
    "only-noughts.csv": lambda: bytes(MIB),
    "names-twice.csv": lambda: b"id,id\n1,2\n",
    "no-names.csv": lambda: b",,\n1,2,3\n",
    "empty.csv": lambda: b"",
    "mark-alone.csv": lambda: b"\xef\xbb\xbf",
    "utf16-cut.csv": lambda: "id,title\n1,x\n".encode("utf-16")[:-1][:21],
    "utf16-halves.csv": lambda: b"\xff\xfe" + b"\x00\xd8" * 1000,
    "picture.csv": lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100,
    "few-cells.tsv": lambda: b"id\ttitle\n1\n",
    "separator-told-alone.csv": lambda: b"sep=;\n",
    "control-character-in-an-id.csv": lambda: b"id,title\na\x01,x\n",
    "blanks.csv": lambda: b" " * 20 * MIB,
    "returns.csv": lambda: b"id,title\r" + b"\r" * 6 * MIB,
}


def bomb(size: int = 300 * MIB) -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9) as packed:
        for _ in range(size // MIB):
            packed.write(bytes(MIB))
    return out.getvalue()


PACKED: dict[str, Callable[[], bytes]] = {
    "bomb.csv.gz": bomb,
    "bomb.json.gz": bomb,
    "bomb.xml.gz": lambda: bomb(100 * MIB),
    "no-gzip.csv.gz": lambda: b"id,title\n1,x\n",
    "cut.csv.gz": lambda: gzip.compress(b"id,title\n" + b"1,x\n" * 10_000)[:-20],
    "checksum.csv.gz": lambda: gzip.compress(b"id,title\n1,x\n")[:-8] + b"\0" * 8,
    "twice.csv.gz": lambda: gzip.compress(gzip.compress(b"id,title\n1,x\n")),
    "empty.csv.gz": lambda: b"",
    "rubbish-behind.csv.gz": lambda: gzip.compress(b"id,title\n1,x\n") + b"rubbish",
}


def zipped(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in entries:
            archive.writestr(zipfile.ZipInfo(name) if method == 0 else name, data)
    return out.getvalue()


def zip_bomb(method: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive, archive.open("a.csv", "w", force_zip64=True) as member:
        for _ in range(300):
            member.write(bytes(MIB))
    return out.getvalue()


def patched(data: bytes, wanted: bytes, instead: bytes) -> bytes:
    assert wanted in data
    return data.replace(wanted, instead)


def encrypted() -> bytes:
    data = bytearray(zipped(("a.csv", b"id,title\n1,x\n")))
    data[6] |= 1
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    return bytes(data)


def method(number: int) -> bytes:
    data = bytearray(zipped(("a.csv", b"id,title\n1,x\n")))
    data[8:10] = struct.pack("<H", number)
    at = data.index(b"PK\x01\x02")
    data[at + 10 : at + 12] = struct.pack("<H", number)
    return bytes(data)


ROWS = b"id,title\n1,x\n"
ZIPS: dict[str, Callable[[], bytes]] = {
    "bomb.zip": lambda: zip_bomb(zipfile.ZIP_DEFLATED),
    "bomb-of-bzip2.zip": lambda: zip_bomb(zipfile.ZIP_BZIP2),
    "bomb-of-lzma.zip": lambda: zip_bomb(zipfile.ZIP_LZMA),
    "nested.zip": lambda: zipped(("a.zip", zipped(("a.csv", ROWS)))),
    "nested-tar.zip": lambda: zipped(("a.tar.gz", b"x")),
    "upwards.zip": lambda: zipped(("../../a.csv", ROWS)),
    "upwards-within.zip": lambda: zipped(("a/../../b.csv", ROWS)),
    "upwards-backwards.zip": lambda: zipped(("..\\..\\a.csv", ROWS)),
    "absolute.zip": lambda: zipped(("/etc/a.csv", ROWS)),
    "drive.zip": lambda: zipped(("C:\\a.csv", ROWS)),
    "encrypted.zip": encrypted,
    "unknown-method.zip": lambda: method(99),
    "wrong-method.zip": lambda: method(12),
    "cut.zip": lambda: zipped(("a.csv", ROWS * 1000))[:-30],
    "cut-in-front.zip": lambda: zipped(("a.csv", ROWS * 1000))[40:],
    "checksum.zip": lambda: patched(zipped(("a.csv", ROWS), method=0), b"1,x", b"1,y"),
    "empty.zip": lambda: zipped(),
    "no-bytes.zip": lambda: b"",
    "nothing-to-read.zip": lambda: zipped(("a.exe", b"MZ"), ("readme.md", b"x")),
    "members.zip": lambda: zipped(*((f"{n}.csv", b"") for n in range(3000))),
    "no-zip.zip": lambda: b"Rar!\x1a\x07\x00" + bytes(1000),
    "gzip-in-it.zip": lambda: zipped(("a.csv.gz", b"no gzip")),
    "bomb-in-it.zip": lambda: zipped(("a.csv.gz", bomb())),
}


def tarred(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for info, data in members:
            info.size = len(data) or info.size
            archive.addfile(info, io.BytesIO(data) if data else None)
    return out.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, size
    return info


def header(kind: bytes, size: int) -> bytes:
    return member("x", kind, size=size).tobuf(tarfile.GNU_FORMAT)


TARS: dict[str, Callable[[], bytes]] = {
    "upwards.tar": lambda: tarred((member("../a.csv"), ROWS)),
    "absolute.tar": lambda: tarred((member("/etc/a.csv"), ROWS)),
    "link.tar": lambda: tarred((member("a.csv", tarfile.SYMTYPE, "/etc/passwd"), b"")),
    "hard-link.tar": lambda: tarred((member("a.csv", tarfile.LNKTYPE, "/etc/passwd"), b"")),
    "device.tar": lambda: tarred((member("a.csv", tarfile.CHRTYPE), b"")),
    "pipe.tar": lambda: tarred((member("a.csv", tarfile.FIFOTYPE), b"")),
    "nested.tar": lambda: tarred((member("a.tar"), ROWS)),
    "cut.tar": lambda: tarred((member("a.csv"), ROWS * 10_000))[:20_000],
    "long-said.tar": lambda: header(tarfile.REGTYPE, 8 * 1024 * MIB) + ROWS,
    "names-of-megabytes.tar.gz": lambda: gzip.compress(
        header(tarfile.GNUTYPE_LONGNAME, 90 * MIB) + b"a" * 90 * MIB
    ),
    "headers-of-megabytes.tar.gz": lambda: gzip.compress(header(tarfile.XHDTYPE, 90 * MIB) + b"1" * 90 * MIB),
    "bomb.tar.gz": lambda: gzip.compress(
        header(tarfile.REGTYPE, 200 * MIB).replace(b"x\0", b"x\0") + bytes(200 * MIB)
    ),
    "bomb.tgz": bomb,
    "no-tar.tar": lambda: b"no tar at all" * 100,
    "empty.tar": lambda: b"",
    "no-gzip.tgz": lambda: b"no gzip",
}


def workbook(
    sheet: str, strings: str = "", more: dict[str, str] | None = None, target: str = "worksheets/s.xml"
) -> bytes:
    links = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    parts = {
        "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{links}"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',  # noqa: E501
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r1" Target="{target}"/></Relationships>',
        "xl/worksheets/s.xml": f'<worksheet xmlns="{SHEET}"><sheetData>{sheet}</sheetData></worksheet>',
        **({"xl/sharedStrings.xml": f'<sst xmlns="{SHEET}">{strings}</sst>'} if strings else {}),
    } | (more or {})
    return zipped(*((name, data.encode()) for name, data in parts.items()))


def cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def merged(*ranges: str) -> bytes:
    """A workbook whose one row has no id, with cells that are merged."""
    cells = "".join(f'<mergeCell ref="{one}"/>' for one in ranges)
    return workbook(
        f'{HEAD}<row r="2">{cell("B2", "x")}</row></sheetData><mergeCells>{cells}</mergeCells><sheetData>'
    )


HEAD = f'<row r="1">{cell("A1", "id")}{cell("B1", "title")}</row>'
TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"


def ods(rows: str, before: str = "") -> bytes:
    content = (
        f'{before}<o:document-content xmlns:o="{OFFICE}" xmlns:t="{TABLE}" xmlns:x="{TEXT}"><o:body><o:spreadsheet>'  # noqa: E501
        f'<t:table t:name="S">{rows}</t:table></o:spreadsheet></o:body></o:document-content>'
    )
    return zipped(("content.xml", content.encode()))


def ods_row(*texts: str, times: int = 1, wide: int = 1) -> str:
    cells = "".join(
        f'<t:table-cell t:number-columns-repeated="{wide}"><x:p>{text}</x:p></t:table-cell>' for text in texts
    )
    return f'<t:table-row t:number-rows-repeated="{times}">{cells}</t:table-row>'


BOOKS: dict[str, Callable[[], bytes]] = {
    "row-far-away.xlsx": lambda: workbook(f'{HEAD}<row r="999999999">{cell("A999999999", "1")}</row>'),
    "column-far-away.xlsx": lambda: workbook(f'{HEAD}<row r="2">{cell("ZZZZZZZ2", "1")}</row>'),
    "cells-beyond.xlsx": lambda: workbook(f'{HEAD}<row r="2">{cell("XFD2", "1")}</row>'),
    "strings-of-megabytes.xlsx": lambda: workbook(HEAD, f"<si><t>{'x' * 12 * MIB}</t></si>"),
    "strings.xlsx": lambda: workbook(
        f'{HEAD}<row r="2"><c r="A2" t="s"><v>7</v></c></row>', "<si/>" * 3_000_000
    ),
    "string-that-is-not-there.xlsx": lambda: workbook(f'{HEAD}<row r="2"><c r="A2" t="s"><v>7</v></c></row>'),
    "rows-of-megabytes.xlsx": lambda: workbook(HEAD + f'<row r="2">{"<c/>" * 2 * MIB}</row>'),
    "laughs.xlsx": lambda: workbook(
        HEAD,
        more={
            "xl/workbook.xml": laughs()
            + f'<workbook xmlns="{SHEET}"><sheets><sheet name="&l9;"/></sheets></workbook>'
        },
    ),
    "laughs-in-the-sheet.xlsx": lambda: workbook(
        "",
        more={
            "xl/worksheets/s.xml": laughs()
            + f'<worksheet xmlns="{SHEET}"><sheetData>{HEAD.replace("id", "&l9;")}</sheetData></worksheet>'
        },
    ),
    "part-outside.xlsx": lambda: workbook(HEAD, target="../../../../etc/passwd"),
    "no-parts.xlsx": lambda: zipped(("a.txt", b"x")),
    "no-sheet.xlsx": lambda: workbook("", more={"xl/workbook.xml": f'<workbook xmlns="{SHEET}"/>'}),
    "empty-sheet.xlsx": lambda: workbook(""),
    "deep.xlsx": lambda: workbook("<a>" * 100_000),
    "old-workbook.xlsx": lambda: bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2000),
    "table.xlsx": lambda: ROWS,
    "cut.xlsx": lambda: workbook(HEAD)[:-50],
    "bomb.xlsx": lambda: workbook(HEAD + "<row/>" * 12_000_000),
    "bomb.ods": lambda: ods(ods_row("id", "title") + "<t:table-row/>" * 6_000_000),
    "rows-repeated.ods": lambda: ods(ods_row("id", "title") + ods_row("1", "", times=999_999_999)),
    "rows-repeated-again.ods": lambda: ods(ods_row("id", "title") + ods_row("1", "", times=1_000_000) * 50),
    "cells-repeated.ods": lambda: ods(ods_row("id", wide=999_999_999)),
    "cells-repeated-far.ods": lambda: ods(ods_row("id", "title") + ods_row("1", "2", "3", wide=16_000)),
    "laughs.ods": lambda: ods(ods_row("&l9;"), laughs()),
    "no-content.ods": lambda: zipped(("mimetype", b"x")),
    "empty.ods": lambda: ods(""),
    "merged-over-all.xlsx": lambda: merged("B1:XFD1048576"),
    "merged-many-times.xlsx": lambda: merged(*["A1:A1048576"] * 150_000),
    "merged-backwards.xlsx": lambda: merged("B9:A1", "A0:A0", "ZZZ9999999:A1"),
    "merged-without-end.xlsx": lambda: workbook(
        f'{HEAD}</sheetData><mergeCells><mergeCell ref="A1:{"A" * MIB}"/>'
    ),
}

FILES = (
    XML
    | JSON
    | TABLES
    | PACKED
    | {"z-" + k: v for k, v in ZIPS.items()}
    | {"t-" + k: v for k, v in TARS.items()}
)
FILES |= {"b-" + name: made for name, made in BOOKS.items()} | FORMS


@cache
def _shipped() -> dict[str, object]:
    """The mappings that come with Kindred, by their names."""
    mappings: dict[str, object] = yaml.safe_load((ROOT / "mappings.yaml").read_text("utf-8"))["mappings"]
    return mappings


def read(path: Path) -> dict[str, object]:
    """What became of a file: the errors, and how many records came before them."""
    from ingest.entries import Notes, entries
    from ingest.errors import KindredError
    from ingest.mapping import Mapping
    from ingest.reading.settings import Limits
    from ingest.record import Record

    shipped = path.name.partition(".")[0]
    mapping = Mapping.model_validate({"id": {"column": "id"}, "title": {"column": "title"}})
    if "lido" in path.name or "siblings" in path.name:
        mapping = Mapping.model_validate(
            {"read": {"records": "lido:lido"}, "id": {"column": "x"}, "title": {"column": "y"}}
        )
    if path.name in FORMS:
        mapping = Mapping.model_validate(_shipped()[shipped])
    limits, notes = Limits(seconds=3, members=1000), Notes()
    records, errors = 0, 0
    try:
        for entry in entries([path], mapping, limits, notes, lambda _: None):
            records += isinstance(entry.content, Record)
            errors += not isinstance(entry.content, Record)
    except KindredError as error:
        notes.damaged.append(f"{error.code}: {error.detail}")
    return {"name": path.name, "records": records, "rejected": errors, "damaged": notes.damaged[:3]}


def main(folder: str) -> None:
    """Read the files of a folder, one after the other, and say what became of each."""
    import ingest.ingestion  # noqa: F401 - what is imported later would count

    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    for path in sorted(Path(folder).iterdir()):
        signal.setitimer(signal.ITIMER_PROF, SECONDS)  # ends the process
        result: dict[str, object]
        try:
            result = read(path)
        except BaseException as error:
            result = {"name": path.name, "untyped": f"{type(error).__name__}: {error}"[:500]}
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
