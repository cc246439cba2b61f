from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.scope import Scope
from features.text.boilerplate import boilerplate_spans, content_spans
from tests.builders import profile, record
from tests.features.measures.columns import occurrences


def content(text: str) -> list[str]:
    return [text[start:end] for start, end in content_spans(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Presented by the artist 1994",
        "Purchased 1979",
        "Purchase",
        "Accepted by the nation as part of the Turner Bequest 1856",
        "Accepted by HM Government in lieu of inheritance tax and allocated to the museum 2001",
        "Purchased as part of the Oppé Collection with assistance from the Heritage Lottery Fund 1996",
        "ARTIST ROOMS Acquired jointly with the National Galleries through The d'Offay Donation",
        "Bequest of Dr. James B. Austin",
        "Gift of Mr. and Mrs. Robert F. Van Voorhis in memory of Louise Jones Van Voorhis",
        "Museum purchase: gift of the Drue Heinz Trust",
        "Second Century Acquisition Fund",
        "Lent by a private collector",
        "On long-term loan from the Ministry of Works",
        "Transfer from Facilities, Planning and Operations",
        "Provenance: Jean Roe, Paris, until 1920; by descent to his wife. Sold, 1950. Gift of Tom Hall",
        "No copy of photograph(s)/artwork(s) annexed.",
        "Copyright owner of work: W B Horner & Son, 27 Paternoster Square. Form completed 18 May 1885.",
        "Note: This entry form (COPY 1/52/402) is contained within Box Number 1 of COPY 1/52.",
        "© The estate of the artist. All rights reserved.",
        "Negative sheet Number Y6/22& 23",
        "Photographic Negative",
        "Physical condition: 44x66mm.",
        "Geschenk der Witwe des Künstlers",
        "Vermächtnis Karl Meyer 1911",
        "Erworben im Jahr 1920",
        "Provenienz: Herr und Frau Max Liebig, Köln. Sammlung Thyssen.",
        "Inv.-Nr.: 1911/23",
        "Don de M. Pierre Dupont, 1920",
        "Legs Camondo",
        "Achetée en vente publique",
        "Ancienne collection Fould",
        "Numéro d'inventaire : MNR 234",
        "Schenking van de erven Jan Smit",
        "Aankoop, zie Verslag 1869",
        "In 2024 geschonken door P. van der Kamp",
        "Collectie: Aanwinsten Kaarten en Tekeningen",
        "Herkomst: veiling Amsterdam 1898; de heer en mevrouw De Wit.",
        "Dono del signor e della signora Rossi",
        "Dono dell’artista",
        "Acquistato nel 1973",
        "Legato di Anna Bianchi",
        "Donación de los herederos del pintor",
        "Adquirido en 1920",
        "Número de inventario: 345",
        "Skänkt av Anna Berg 1910",
        "Inköp 1905",
        "Proveniens: Greve Carl Bonde. Såld 1950.",
    ],
)
def test_what_is_about_the_record(text: str) -> None:
    assert content(text) == []
    assert boilerplate_spans(text) == ((0, len(text)),)


@pytest.mark.parametrize(
    "text",
    [
        "Oil paint on canvas.",
        "gelatin silver print.",
        "From the series Rivers Meuse and Moselle Sketchbook.",
        "Inscription: date inscribed.",
        "Trophy presented by the mayor to the winning team.",
        "Given the weather, the crowd was small.",
        "Received coldly, she turned away.",
        "Gift of flowers for the queen",
        "Legato in pelle rossa",
        "Der König wird mit einem Geschenk empfangen",
        "Don Quichotte à cheval",
        "Table à trois pieds, legs",
        "Gåva till drottningen",
        "Procesión de la compra del santo",
        "Aan het hof een geschenk",
        "Exchange of prisoners near the bridge",
        "Women at a fund raising dinner for the Urban League",
        "36 Town Hall Relief Fund; 37 Correspondence.",
        "A photographer holds a negative to the light.",
        "Portrait of George Washington",
        "A man writes on a copyright form's back.",
    ],
)
def test_what_is_about_the_item(text: str) -> None:
    assert content(text) == [text]
    assert boilerplate_spans(text) == ()


def test_a_description_is_cut_at_sentences_and_semicolons() -> None:
    assert content("Two boats; gift of Mary Smith. A storm is near. Photographic Negative") == [
        "Two boats;",
        "A storm is near.",
    ]


def test_a_form_begins_a_clause_where_no_full_stop_was_seen() -> None:
    text = (
        "'Child with dog, gun etc.' Copyright owner of work: W B Horner, London. Form completed: 1 May 1880."
    )
    assert content(text) == ["'Child with dog, gun etc.'"]
    assert content("From the series Things I. Presented by Penny Govett 2007") == [
        "From the series Things I."
    ]


def test_a_provenance_ends_where_the_item_is_described_again() -> None:
    text = (
        "Provenance: Jean Roe, Paris. Adam Hill, London, 1920. The boat leans to the left in a strong wind."
    )
    assert content(text) == ["The boat leans to the left in a strong wind."]


@given(st.text(alphabet="Gift of A. Boat; Purchased 1979 copyright owner:\n", max_size=80))
def test_every_letter_is_in_one_span_at_most_and_all_but_blanks_in_one(text: str) -> None:
    spans = sorted([*boilerplate_spans(text), *content_spans(text)])
    assert all(a < b for a, b in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert "".join("".join(text[a:b] for a, b in spans).split()) == "".join(text.split())


def test_a_scope_can_leave_it_out() -> None:
    of = profile(record("a", "Gift of Venice", description="A boat. Gift of Tom Hall"))
    scope = Scope(parts=("title", "description"), boilerplate="drop")
    assert [results.term for results in occurrences(of, scope)] == ["gift", "of", "venice", "a", "boat"]
    assert str(scope) == "words in title, description without boilerplate"
    stored = occurrences(of, Scope(parts=("description",)))
    assert [results.term for results in stored] == ["a", "boat", "gift", "of", "tom", "hall"]
    with pytest.raises(ValueError, match="boilerplate"):
        Scope(parts=("creator",), names=True, boilerplate="drop")


def test_a_long_list_of_folios_is_read_at_once() -> None:
    # were a number with a letter behind read in 3 ways, a list of 40 would be in 3 to the 40
    folios = ", ".join(f"{number}b" for number in range(100, 140))
    assert content(f"{folios}, and a lion; a gift of Mary Smith") == [f"{folios}, and a lion;"]
