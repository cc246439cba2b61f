"""Tables in encodings of one byte a character: read as they were written, or as Western Europe writes."""

from pathlib import Path

import pytest

from ingest.reading.encodings import detected_encoding
from ingest.reading.files import read
from ingest.reading.inputs import inputs
from ingest.reading.settings import FileSettings, Limits

POLISH = """nr;tytuł;opis;miejsce
1;Widok kościoła świętej Anny;Widok kościoła od strony rzeki, na pierwszym planie łodzie rybackie;Kraków
2;Portret młodej kobiety;Kobieta w białej sukni siedzi przy stole, za nią otwarte okno i ogród;Łódź
3;Dzban gliniany;Dzban z jednym uchem, zdobiony malowaną gałązką, polewa częściowo odpryśnięta;Żory
4;Mapa województwa;Mapa ręcznie kolorowana, z podziałem na powiaty i zaznaczonymi drogami;Poznań
5;Żniwa;Grupa żniwiarzy odpoczywa w cieniu drzew, w oddali widać wieś i wiatrak;Zamość
"""
CZECH = """číslo;název;popis;místo
1;Pohled na řeku pod hradem;Řeka s loděmi, na břehu stojí několik domů a starý mlýn;Děčín
2;Podobizna muže s kloboukem;Muž středního věku drží v pravé ruce hůl, v pozadí zámecká zahrada;Plzeň
3;Džbán s víkem;Cínový džbán, na plášti rytý erb města a letopočet, víko chybí;Kutná Hora
4;Zimní krajina;Zasněžená vesnice v údolí, děti sáňkují na svahu za kostelem;Třebíč
5;Plán městských hradeb;Kolorovaná kresba, vpravo dole měřítko a podpis zeměměřiče;Olomouc
"""
RUSSIAN = """номер;название;описание;место
1;Вид на реку зимой;Замёрзшая река, на берегу стоят сани и несколько крестьян в тулупах;Ярославль
2;Портрет неизвестной;Женщина в синем платье сидит у окна, в руках раскрытая книга;Москва
3;Кувшин с крышкой;Глиняный кувшин, поливной, ручка утрачена, на дне клеймо мастера;Гжель
"""
GREEK = """αριθμός;τίτλος;περιγραφή;τόπος
1;Άποψη του λιμανιού;Καΐκια δεμένα στην προκυμαία, πίσω διακρίνεται ο φάρος;Χανιά
2;Η εκκλησία του Αγίου Γεωργίου;Ένας άνδρας στέκεται μπροστά στην πόρτα της εκκλησίας;Άνδρος
3;Πήλινο αγγείο με λαβές;Άθικτο, με γραπτή διακόσμηση, σπασμένο στη βάση του;Θήβα
"""
GERMAN = """Nr;Titel;Beschreibung;Ort
1;Ansicht der Brücke;Blick über den Fluß auf die Türme der Stadt, im Vordergrund Fährleute;München
2;Bildnis einer jungen Frau;Die Frau trägt ein weißes Kleid und hält einen Fächer in der Hand;Köln
3;Krug mit Deckel;Steinzeug mit blauer Bemalung, der Henkel ist später ergänzt, Öse fehlt;Höhr
"""
FRENCH = """no;titre;description;lieu
1;Vue de la forêt près du château;Des bûcherons à l'ouvrage, à gauche une chaumière délabrée;Besançon
2;Portrait d'une élève;La jeune fille, très droite, tient une lettre, derrière elle une fenêtre;Orléans
3;Cruche à anse;Terre vernissée, décor de fleurs, manque une partie du col où l'on voit la pâte;Thiviers
"""
ICELANDIC = """nr;heiti;lýsing;staður
1;Útsýni yfir fjörðinn;Bátar á sjó, í forgrunni standa menn við þurrkhús og gera að fiski;Ísafjörður
2;Mynd af ungri konu;Konan er klædd þjóðbúningi með skotthúfu og heldur á bók í hægri hendi;Þingvellir
"""

CASES = [
    (POLISH, "cp1250", "Windows-1250"),
    (POLISH, "iso8859-2", "ISO-8859-2"),
    (CZECH, "cp1250", "Windows-1250"),
    (CZECH, "iso8859-2", "ISO-8859-2"),
    (RUSSIAN, "cp1251", "Windows-1251"),
    (RUSSIAN, "koi8-r", "KOI8-R"),
    (RUSSIAN, "iso8859-5", "ISO-8859-5"),
    (GREEK, "cp1253", "Windows-1253"),
    (GREEK, "iso8859-7", "ISO-8859-7"),
    (GERMAN, "latin-1", "Latin-1"),
    (GERMAN.replace("Ansicht der Brücke", "„Ansicht“ – Brücke"), "cp1252", "Windows-1252"),
    (FRENCH, "latin-1", "Latin-1"),
    (FRENCH.replace("l'", "l’"), "cp1252", "Windows-1252"),
    (ICELANDIC, "latin-1", "Latin-1"),
]


def table(tmp_path: Path, text: str, encoding: str) -> tuple[list[str], list[dict[str, object]]]:
    """How a table of that text is said to be made, and its rows."""
    path = tmp_path / "objects.csv"
    path.write_bytes(text.encode(encoding))
    notes: list[str] = []
    rows: list[dict[str, object]] = []
    for given in inputs(path, Limits()):
        rows += [
            dict(row.row)
            for row in read(given, FileSettings(), note=notes.append)
            if isinstance(row.row, dict)
        ]
    return notes, rows


@pytest.mark.parametrize("times", [1, 400], ids=["short", "long"])
@pytest.mark.parametrize(("text", "encoding", "title"), CASES)
def test_a_table_is_read_in_its_encoding_which_is_said(
    text: str, encoding: str, title: str, times: int, tmp_path: Path
) -> None:
    header, *rows = text.splitlines()
    notes, read_rows = table(tmp_path, "\n".join([header, *rows * times]) + "\n", encoding)
    assert notes == [f'{title}, semicolons between cells, " around them']
    assert [";".join(map(str, row.values())) for row in read_rows] == rows * times
    assert ";".join(read_rows[0]) == header


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(text, encoding) for text, encoding, _ in CASES if encoding in ("latin-1", "cp1252")],
)
def test_single_rows_and_words_of_western_europe_stay_so(text: str, encoding: str, tmp_path: Path) -> None:
    pieces = [piece for line in text.splitlines() for piece in (line, *line.split(";"))]
    for piece in pieces:
        data = f"id;title\n1;{piece}\n".encode(encoding)
        (tmp_path / "one.csv").write_bytes(data)
        with (tmp_path / "one.csv").open("rb") as file:
            assert data.decode(detected_encoding(file)) == data.decode(encoding)


def test_names_in_another_script_show_in_a_table_in_english(tmp_path: Path) -> None:
    names = ("Ярославль", "Москва", "Гжель", "Суздаль", "Кострома")
    text = "nr;title;place\n" + "".join(f"{n};Jug with a lid;{name}\n" for n, name in enumerate(names))
    notes, rows = table(tmp_path, text, "cp1251")
    assert notes[0].startswith("Windows-1251")
    assert [row["place"] for row in rows] == list(names)


def test_what_is_no_text_is_read_as_before(tmp_path: Path) -> None:
    path = tmp_path / "all.csv"
    path.write_bytes(b"id;title\n1;" + bytes(range(0x80, 0x100)) + b"\n")
    with path.open("rb") as file:
        assert detected_encoding(file) == "latin-1"
