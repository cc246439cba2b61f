"""The syntax of the dumps, on a file made by hand."""

import gzip
from pathlib import Path

import pytest

from features.research.wikipedia.dumps import DumpTable, DumpValue
from features.research.wikipedia.sources import Gzipped
from ingest.errors import UnreadableFile
from tests.wikipedia_builders import DUMPS

HEAD = """-- MariaDB dump
/*!40101 SET character_set_client = utf8 */;
CREATE TABLE `page` (
  `page_title` varbinary(255) NOT NULL,
  `page_random` double unsigned NOT NULL DEFAULT 0,
  `page_id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `page_lang` varbinary(35) DEFAULT NULL,
  PRIMARY KEY (`page_id`),
  KEY `page_len` (`page_len`)
) ENGINE=InnoDB;
"""


def table(tmp_path: Path, text: str, *columns: str) -> DumpTable:
    path = tmp_path / "x-page.sql.gz"
    path.write_bytes(gzip.compress(text.encode()))
    return DumpTable(Gzipped(path, lambda _: None), "page", columns)


def insert(values: str, name: str = "page") -> str:
    return " ".join(("INSERT INTO", f"`{name}`", "VALUES", values))


def rows(tmp_path: Path, inserts: str, *columns: str) -> list[tuple[DumpValue, ...]]:
    return list(table(tmp_path, HEAD + inserts, *(columns or ("page_id", "page_title"))).rows())


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("'Venice'", "Venice"),
        ("''", ""),
        (r"'O\'Brien'", "O'Brien"),
        ("'O''Brien'", "O'Brien"),
        (r"'Back\\slash\\'", "Back\\slash\\"),
        (r"'\"),(\"'", '"),("'),
        (r"'a\nb\0c\td\Ze'", "a\nb\0c\td\x1ae"),
        ("'Fête_galante — 北斎'", "Fête_galante — 北斎"),
        ("'1),(2,NULL'", "1),(2,NULL"),
    ],
)
def test_strings(tmp_path: Path, written: str, meant: str) -> None:
    results = rows(tmp_path, insert(f"({written},0.5,7,NULL);\n"))
    assert results == [(b"7", meant.encode())]


def test_rows_of_several_statements_columns_by_name_and_null(tmp_path: Path) -> None:
    inserts = (
        "INSERT INTO `page` VALUES ('A',0.1,1,NULL),('B',1e-05,2,'en');\n"
        "INSERT INTO `page` VALUES ('C',0,3,NULL), ('D',0,4,'NULL');\n"
        "INSERT INTO `page` (`page_id`, `page_lang`, `page_random`, `page_title`) VALUES (5,NULL,0,'E');\n"
    )
    results = rows(tmp_path, inserts, "page_lang", "page_id")
    assert results == [(None, b"1"), (b"en", b"2"), (None, b"3"), (b"NULL", b"4"), (None, b"5")]


def test_numbers_come_in_one_array_for_each_statement(tmp_path: Path) -> None:
    path = tmp_path / "x-pagelinks.sql.gz"
    path.write_bytes(gzip.compress((DUMPS / "toywiki-20250101-pagelinks.sql").read_bytes()))
    wanted = ("pl_target_id", "pl_from")
    first, second = DumpTable(Gzipped(path, lambda _: None), "pagelinks", wanted).integers()
    assert first.tolist()[:2] == [[107, 1], [102, 1]]
    assert [4294967301, 1] in second.tolist()
    assert len(first) + len(second) == 22


def test_numbers_beside_texts(tmp_path: Path) -> None:
    text = HEAD + insert("('A',0,1,NULL),('B',0,-2,NULL);\n")
    (results,) = table(tmp_path, text, "page_id").integers()
    assert results.tolist() == [[1], [-2]]
    with pytest.raises(UnreadableFile, match="no number"):
        list(table(tmp_path, text, "page_title").integers())


@pytest.mark.parametrize(
    "inserts",
    [
        "INSERT INTO `page` VALUES ('A',0,1);\n",
        "INSERT INTO `page` VALUES ('A',0,1,NULL,2);\n",
        "INSERT INTO `page` VALUES ('A',0,1,NULL)\n",
        "INSERT INTO `page` VALUES ('A',0,1,NULL),('B',0,\n",
        "INSERT INTO `page` VALUES ('A,0,1,NULL);\n",
        "INSERT INTO `page` VALUES ('A',0,1,NULL) ('B',0,1,NULL);\n",
    ],
)
def test_a_row_that_is_not_of_the_syntax_is_refused(tmp_path: Path, inserts: str) -> None:
    with pytest.raises(UnreadableFile, match=r"x-page\.sql\.gz"):
        rows(tmp_path, inserts)


@pytest.mark.parametrize("body", ["(1,0,3),(2,0);\n", "(1,0,3),(2,0,3)\n", "(1,0,3),(2,0,\n"])
def test_numbers_that_are_cut_are_refused(tmp_path: Path, body: str) -> None:
    path = tmp_path / "x-pagelinks.sql.gz"
    head = (DUMPS / "toywiki-20250101-pagelinks.sql").read_text(encoding="utf-8").partition("INSERT")[0]
    path.write_bytes(gzip.compress((head + insert(body, "pagelinks")).encode()))
    with pytest.raises(UnreadableFile, match="too many fields or too few"):
        list(DumpTable(Gzipped(path, lambda _: None), "pagelinks", ("pl_from",)).integers())


def test_another_table_and_an_older_schema_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="does not hold the table 'page'"):
        list(table(tmp_path, HEAD.replace("`page`", "`user`"), "page_id").rows())
    with pytest.raises(UnreadableFile, match=r"no column 'pl_target_id'.*1\.43"):
        list(table(tmp_path, HEAD, "pl_target_id").rows())
    with pytest.raises(UnreadableFile, match="does not hold the table 'page'"):
        list(table(tmp_path, "id,title\n1,Venice\n", "page_id").rows())


@pytest.mark.parametrize("damage", ["cut", "no gzip", "missing", "flipped"])
def test_a_damaged_file_is_ours_to_report(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "x-page.sql.gz"
    data = bytearray(gzip.compress((HEAD + "INSERT INTO `page` VALUES ('A',0,1,NULL);\n" * 500).encode()))
    if damage == "flipped":
        data[-6] ^= 1
    if damage != "missing":
        path.write_bytes(bytes({"cut": data[: len(data) // 2], "no gzip": b"INSERT"}.get(damage, data)))
    with pytest.raises(UnreadableFile, match=r"x-page\.sql\.gz is (cut short or damaged|missing)"):
        list(DumpTable(Gzipped(path, lambda _: None), "page", ("page_id",)).rows())


def test_what_is_read_is_counted_and_digested(tmp_path: Path) -> None:
    import hashlib

    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(b"one\ntwo\n"))
    passed: list[float] = []
    file = Gzipped(path, passed.append)
    assert list(file.lines()) == [b"one\n", b"two\n"]
    assert sum(passed) == path.stat().st_size
    assert file.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
