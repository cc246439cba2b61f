import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from features.text.names.names import creator_tokens, names

# value, key, surname, forenames, role
PERSONS = [
    (
        "Turner, Joseph Mallord William",
        "joseph mallord william turner",
        "turner",
        "joseph mallord william",
        None,
    ),
    (
        "Joseph Mallord William Turner",
        "joseph mallord william turner",
        "turner",
        "joseph mallord william",
        None,
    ),
    ("Photographer : Beglar, Joseph David", "joseph david beglar", "beglar", "joseph david", "photographer"),
    (
        "Antonio Vanegas Arroyo (1850-1917, Mexican), printed by",
        "antonio vanegas arroyo",
        "arroyo",
        "antonio vanegas",
        "printed by",
    ),
    ("GARCÍA Y CUBAS, Antonio.", "antonio garcia y cubas", "garcia y cubas", "antonio", None),
    ("J. M. W. Turner", "j m w turner", "turner", "j m w", None),
    ("J.M.W. Turner", "j m w turner", "turner", "j m w", None),
    ("JMW Turner", "j m w turner", "turner", "j m w", None),
    ("Steijn, A.J.", "a j steijn", "steijn", "a j", None),
    ("Rembrandt Harmensz. van Rijn", "rembrandt harmensz van rijn", "van rijn", "rembrandt harmensz", None),
    ("de Mare, Eric", "eric de mare", "de mare", "eric", None),
    ("Gogh, Vincent van", "vincent van gogh", "van gogh", "vincent", None),
    ("John La Farge", "john la farge", "la farge", "john", None),
    ("Les Levine", "les levine", "levine", "les", None),
    (
        "Cristofano di Michele Martini",
        "cristofano di michele martini",
        "martini",
        "cristofano di michele",
        None,
    ),
    ("Jean Bérain the Elder", "jean berain the elder", "berain", "jean", None),
    ("Thornton Dial, Sr.", "thornton dial the elder", "dial", "thornton", None),
    ("Jan van de Velde II", "jan van de velde ii", "van de velde", "jan", None),
    ("Joseph Wright of Derby", "joseph wright of derby", "wright", "joseph", None),
    ("Heneage Finch, 4th Earl of Aylesford", "heneage finch 4th", "finch", "heneage", None),
    ("Heneage Finch, Fourth Earl of Aylesford", "heneage finch 4th", "finch", "heneage", None),
    ('Charles "Teenie" Harris', "charles harris", "harris", "charles", None),
    ("Sir Frank Short", "frank short", "short", "frank", None),
    ("Lt-Col George Francis White", "george francis white", "white", "george francis", None),
    ("(Miss) Kate Smith", "kate smith", "smith", "kate", None),
    ("Henry Moore OM, CH", "henry moore", "moore", "henry", None),
    ("Oeben, Jean-François, M.E.", "jean-francois oeben", "oeben", "jean-francois", None),
    ("Frederic, Lord Leighton", "frederic leighton", "leighton", "frederic", None),
    ("Alice Beckwith (1900-1980)", "alice beckwith", "beckwith", "alice", None),
    (
        "White, John Claude, 1853-1918, photographer",
        "john claude white",
        "white",
        "john claude",
        "photographer",
    ),
    ("Henry Robert Hembury. 15 Donegall Place", "henry robert hembury", "hembury", "henry robert", None),
    ("Photographs 1-2; 9-16: Alexander Corbett", "alexander corbett", "corbett", "alexander", None),
    ("Frederick P. L. Mills", "frederick p l mills", "mills", "frederick p l", None),
    ("Frederic Edwin Church", "frederic edwin church", "church", "frederic edwin", None),
    ("after Raphael", "raphael", "raphael", "", "after"),
    ("attributed to Rembrandt", "rembrandt", "rembrandt", "", "attributed to"),
    ("Circle of Titian", "titian", "titian", "", "circle of"),
    ("studio of Rubens, Peter Paul", "peter paul rubens", "rubens", "peter paul", "studio of"),
    ("engraved by William Say", "william say", "say", "william", "engraved by"),
    ("Maki Haku", "maki haku", "haku", "maki", None),
    ("Le Corbusier (Charles-Edouard Jeanneret)", "le corbusier", "le corbusier", "", None),
]


@pytest.mark.parametrize(("value", "key", "surname", "forenames", "role"), PERSONS)
def test_reads_a_person(value: str, key: str, surname: str, forenames: str, role: str | None) -> None:
    (results,) = names(value)
    assert (results.kind, results.key, results.surname) == ("person", key, surname)
    assert (results.forenames, results.role) == (tuple(forenames.split()), role)


@pytest.mark.parametrize(
    ("value", "keys"),
    [
        ("Thomas Whipham and Charles Wright", ["thomas whipham", "charles wright"]),
        ("Smith, John; Brown, Ann", ["john smith", "ann brown"]),
        ("Arthur Dyer & Alfred Jacoburg", ["arthur dyer", "alfred jacoburg"]),
        ("Kerfoot, John & Hirsch, Freeman", ["john kerfoot", "freeman hirsch"]),
        ("Peter and Ann Bateman", ["peter bateman", "ann bateman"]),
        ("Jan and Lucas van Doetechum", ["jan van doetechum", "lucas van doetechum"]),
        ("Tom Dewitt, Vibeke Sorensen, and Dean Winkler", ["tom dewitt", "vibeke sorensen", "dean winkler"]),
        ("W. B. Roberts and M. Kane, Jr.", ["w b roberts", "m kane the younger"]),
        (
            "Langlands & Bell (Ben Langlands and Nikki Bell)",
            ["langlands bell", "ben langlands", "nikki bell"],
        ),
    ],
)
def test_reads_several(value: str, keys: list[str]) -> None:
    assert [name.key for name in names(value)] == keys


@pytest.mark.parametrize(
    "value",
    [
        "The Fitzwilliam Museum, Cambridge, UK",
        "Tiffany & Co.",
        "Wedgwood",
        "Sèvres",
        "Staff of Life",
        "Aldridge & Stamper",
        "Perkins and Son",
        "Skidmore, Owings and Merrill",
        "Office of Henry Hobson Richardson",
        "SITE",
        "Adjaye/Associates",
        "Harrison and Abramovitz (With W. Y. Cocken)",
        "J. & J. Boydell",
        "Bow Porcelain Factory",
        "A and E Seeley",
    ],
)
def test_knows_institutions(value: str) -> None:
    (results,) = names(value)
    assert (results.kind, results.surname, results.forenames) == ("institution", "", ())


@pytest.mark.parametrize(
    "value",
    [
        "staff",
        "The Staff",
        "Staff photographer",
        "staff photographer",
        "Photographer: The Staff",
        "none",
        "unknown",
        "Unknown",
        "anonymous",
        "not known",
        "Photographer: Unknown",
        "artist unknown",
        *("unidentified photographer", "maker unknown", "Artist(s) unknown", "various"),
        *("n/a", "-", "N.N.", "Photographer not known", "An unknown artist", "by unknown"),
        *("Unbekannt", "unbekannter Künstler", "Maler, unbekannt", "Anonym"),
        *("Inconnu", "auteur inconnu", "Anonyme", "Sconosciuto", "Ignoto"),
        *("Desconocido", "Anoniem", "Onbekende kunstenaar", "Autor nieznany"),
        *("okänd", "ukendt", "tuntematon", "neznámý", "ismeretlen", "necunoscut", "άγνωστος", "неизвестен"),
    ],
)
def test_knows_nobodies(value: str) -> None:
    (results,) = names(value)
    assert results.kind == "unknown"
    assert creator_tokens(results) == ()


# value, cultures, as they stand
CULTURES = [
    ("French", ["french"], "French"),
    ("Venetian () (?)", ["venetian"], "Venetian"),
    ("Greek ?", ["greek"], "Greek"),
    ("Greco-Roman", ["greek", "roman"], "Greco|Roman"),
    ("Northern Italian", ["italian"], "Italian"),
    ("Near Eastern", ["near eastern"], "Near Eastern"),
    ("Persian", ["iranian"], "Persian"),
    ("Ottoman; Chimú", ["ottoman", "chimu"], "Ottoman|Chimú"),
    ("Mexican (Olmec style)", ["mexican", "olmec"], "Mexican|Olmec"),
    ("Japanese (signature illegible)", ["japanese"], "Japanese"),
    ("Mosan Workshop", ["mosan"], "Mosan"),
    ("Copy after Greek", ["greek"], "Greek"),
    ("unknown Austrian", ["austrian"], "Austrian"),
    ("unknown Persian, Kashan or Rhages", ["iranian"], "Persian"),
    ("unknown American, PA, Pittsburgh", ["american"], "American"),
    ("unknown Baulé", ["baule"], "Baulé"),
    ("British School", ["british"], "British"),
    ("British (?) School 19th century", ["british"], "British"),
    ("Italian or German (?) School 17th century", ["italian", "german"], "Italian|German"),
    ("Cypriote", ["cypriote"], "Cypriote"),
    ("Anonymous (French)", ["french"], "French"),
    ("Unbekannter deutscher Maler", ["german"], "deutscher"),
    ("Anonimo fiorentino", ["florentine"], "fiorentino"),
    ("Pintor anónimo español", ["spanish"], "español"),
]


@pytest.mark.parametrize(("value", "cultures", "texts"), CULTURES)
def test_reads_cultures(value: str, cultures: list[str], texts: str) -> None:
    results = names(value)
    assert {name.kind for name in results} == {"culture"}
    assert [name.key for name in results] == [name.cultures[0].key for name in results] == cultures
    assert [value[name.start : name.end] for name in results] == texts.split("|")
    assert [creator_tokens(name) for name in results] == [tuple(key.split()) for key in cultures]


@pytest.mark.parametrize("value", ["Roman Polanski", "French, Daniel Chester", "Sano School", "German, Ada"])
def test_a_name_may_hold_a_culture(value: str) -> None:
    assert [name.kind in {"person", "institution"} for name in names(value)] == [True]


@pytest.mark.parametrize(
    ("value", "key", "cultures"),
    [
        ("Utagawa Kuniyoshi (Japanese, 1798-1861)", "utagawa kuniyoshi", "Japanese"),
        ("Robert Field (English, ca. 1769-1819) (?)", "robert field", "English"),
        ("Sir Lawrence Alma-Tadema, R.A. (Anglo-Dutch, 1836-1912)", "lawrence alma-tadema", "Anglo|Dutch"),
        (
            "Sèvres Porcelain Manufactory (French, active 1756-present)",
            "sevres porcelain manufactory",
            "French",
        ),
        ("Nikolaki (Greek (?))", "nikolaki", "Greek"),
        ("Alexander Calder, American, 1898-1976", "alexander calder", "American"),
        ("Monet, Claude, French", "claude monet", "French"),
        ("Polanska, Roman", "roman polanska", ""),
        ("Ann Smith (Mrs Jones)", "ann smith", ""),
    ],
)
def test_reads_the_nation_of_a_maker(value: str, key: str, cultures: str) -> None:
    (results,) = names(value)
    assert results.key == key
    assert "|".join(value[one.start : one.end] for one in results.cultures) == cultures


@pytest.mark.parametrize(
    ("value", "others"),
    [
        ("Kunisada (Toyokuni III)", ["toyokuni iii"]),
        ("Utagawa Kunisada I (also called Utagawa Toyokuni III)", ["utagawa toyokuni iii"]),
        ("Hokusai (Katsushika)", ["katsushika hokusai"]),
        ("Susanna Duncombe (née Susanna Highmore)", ["susanna highmore"]),
        ("Wols (Alfred Otto Wolfgang Schulze) (German, 1913-1951)", ["alfred otto wolfgang schulze"]),
        ("Jacopo Robusti (called Tintoretto)", ["tintoretto"]),
        ("Ann Smith (publisher)", []),
        ("Ann Smith (London)", []),
        ("Ann Smith (Scottish)", []),
        ("Ann Smith (now Ann Reed)", []),
        ("Ann Smith (signature illegible)", []),
    ],
)
def test_reads_other_names(value: str, others: list[str]) -> None:
    (results,) = names(value)
    assert [other.key for other in results.others] == others
    assert all(value[other.start : other.end] == other.text for other in results.others)


@pytest.mark.parametrize(
    ("value", "role", "made"),
    [
        ("Ann Smith (scribe)", "scribe", True),
        ("Workshop of Ann Smith", "workshop of", True),
        ("naar Ann Smith", "after", True),
        ("d'après Ann Smith", "after", True),
        ("Nach Ann Smith", "after", True),
        ("Werkstatt der Ann Smith", "workshop of", True),
        ("Cerchia di Ann Smith", "circle of", True),
        ("atribuido a Ann Smith", "attributed to", True),
        ("Efterföljare till Ann Smith", "follower of", True),
        ("After a model by Ann Smith", "after a model by", True),
        ("Previously attributed to Ann Smith", "previously attributed to", True),
        ("Style of attributed to Ann Smith", "style of", True),
        ("Ann Smith (patron)", "patron", False),
        ("Owner: Ann Smith", "owner", False),
        ("commissioned by Ann Smith", "commissioned by", False),
    ],
)
def test_reads_roles(value: str, role: str, made: bool) -> None:
    (results,) = names(value)
    assert (results.key, results.role, results.made) == ("ann smith", role, made)


def test_several_makers_have_each_their_nation() -> None:
    results = names("Thomas Whipham (English) and Charles Wright (Irish); Swiss")
    assert [(name.key, [one.key for one in name.cultures]) for name in results] == [
        ("thomas whipham", ["english"]),
        ("charles wright", ["irish"]),
        ("swiss", ["swiss"]),
    ]


def test_a_name_may_hold_a_word_for_unknown() -> None:
    kinds = [names(value)[0].kind for value in ("Unknown Warriors Studio", "Inconnu Jean", "Not Vital")]
    assert kinds == ["institution", "person", "person"]


def test_a_nobody_beside_a_person() -> None:
    results = names("John Smith and unknown photographer")
    assert [(name.kind, name.text) for name in results] == [
        ("person", "John Smith"),
        ("unknown", "unknown photographer"),
    ]


@pytest.mark.parametrize("value", ["", "   ", ";", " ; , ", "?"])
def test_finds_no_name(value: str) -> None:
    assert names(value) == ()


def test_tokens_of_an_institution() -> None:
    assert creator_tokens(names("The Fitzwilliam Museum, Cambridge, UK")[0]) == (
        "fitzwilliam",
        "museum",
        "cambridge",
        "uk",
    )


def test_what_stands_beside_a_name_is_its_nation_or_another_name() -> None:
    def beside(value: str) -> list[tuple[list[str], list[str], str]]:
        return [([c.key for c in n.cultures], [o.text for o in n.others], n.text) for n in names(value)]

    assert beside("Calder, American (born Philadelphia)") == [(["american"], [], "Calder")]
    assert beside("Kunisada (Toyokuni III)") == [([], ["Toyokuni III"], "Kunisada")]
    assert beside("Smith (Sicilian, 1790-1850)") == [(["sicilian"], [], "Smith")]
    assert beside("Monet, Claude, French")[0][2] == "Monet, Claude"
    assert beside("Polanski, Roman")[0][2] == "Polanski, Roman"


PIECES = st.sampled_from(
    [
        "Turner",
        "J.",
        "J.M.W.",
        "van",
        "di",
        "of",
        "and",
        "&",
        ",",
        ";",
        ":",
        "(",
        ")",
        '"',
        "[",
        "]",
        "Sir",
        "Jr.",
        "the Elder",
        "after",
        "Photographer",
        "1853-1918",
        "Co.",
        "Élise",
        "II",
        "unknown",
        "School",
        "Lord",
        "born 1944",
        "(French,",
        "(Toyokuni III)",
        "Greco-Roman",
    ]
)
VALUES = (
    st.lists(PIECES, max_size=9).map(" ".join)
    | st.lists(PIECES, max_size=6).map("".join)
    | st.text(max_size=30)
)


@given(VALUES)
@example("/(0")
@example("and and French)B")
@example("\x1f,0")
def test_mentions_slice_the_value(value: str) -> None:
    for name in names(value):
        assert value[name.start : name.end] == name.text
        assert name.text
        assert name.kind != "person" or name.surname
        assert all(value[one.start : one.end] for one in name.cultures)
        assert all(value[other.start : other.end] == other.text for other in name.others)


def test_a_known_maker_has_a_nation() -> None:
    (turner,) = names("Turner, Joseph Mallord William, 1775-1851")
    (nation,) = turner.cultures
    assert (nation.key, nation.start, nation.end) == ("british", turner.start, turner.end)
    # what the value says goes before it, and a patron may be as well known
    (stated,) = names("Joseph Mallord William Turner (French)")
    assert [culture.key for culture in stated.cultures] == ["french"]
    assert names("J. Turner")[0].cultures == ()


@pytest.mark.parametrize(
    ("value", "culture"),
    [("France", "french"), ("Nederland", "dutch"), ("Italia", "italian"), ("United States", "american")],
)
def test_a_country_is_no_maker(value: str, culture: str) -> None:
    assert [(name.kind, name.key) for name in names(value)] == [("culture", culture)]


def test_a_forename_that_means_a_nation_elsewhere_is_read_behind_a_surname() -> None:
    # Frans is French in Dutch
    assert [name.key for name in names("Hals, Frans; Hals, Dirck")] == ["frans hals", "dirck hals"]
    assert [name.key for name in names("Steen, Jan, Frans")] == ["jan steen"]


@pytest.mark.parametrize(
    "text",
    [
        "A (" + "I" * 60 + "\x0cx;",  # a run of capitals can be parted in 2 ** 59 ways
        "a;" * 20_000,
        "A. B. " * 8_000,
        "Aa " * 15_000 + "(" * 5_000,
    ],
    ids=["capitals", "semicolons", "initials", "brackets"],
)
def test_no_text_keeps_it_for_ever(text: str) -> None:
    assert all(0 <= name.start <= name.end <= len(text) for name in names(text))
