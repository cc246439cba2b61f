"""How catalogues in the languages of Europe say that a date or a maker is not known.

Values are compared in lower case, without accents and marks: 'N.D.' and '(n. d.)' are both 'n d'.
"""

import re
from typing import Final

from features.text.names.cultures import is_culture
from features.text.names.parts import fold
from features.text.names.words import INSTITUTION, TRADES

_NO_DATE: Final = """
nd, n d, no date, no dates, no date given, no date known, no date recorded, no date available
undated, not dated
date not known, date is not known, date unknown, dates unknown, unknown date, date not recorded
date not given
date uncertain, date not available, not known, not recorded, not available, not applicable, unrecorded
unspecified, unknown, uncertain, none, null, n a, na, s a, s d, sine anno, sine dato, tbc, tbd, to
be confirmed
various, various dates
o j, oj, o d, ohne jahr, ohne jahresangabe, ohne datum, undatiert, nicht datiert, datum unbekannt
unbekannt
datierung unbekannt, k a, keine angabe, unbekanntes datum
sans date, non date, non datee, date inconnue, inconnu, inconnue, date indeterminee, indetermine
indeterminee
non renseigne, date non renseignee
senza data, non datato, non datata, data sconosciuta, data ignota, sconosciuta, sconosciuto, ignota
ignoto
s f, sin fecha, sin datar, no fechado, fecha desconocida, desconocida, desconocido, no consta
z j, zj, z d, zonder jaar, zonder datum, ongedateerd, niet gedateerd, datum onbekend, onbekend, jaar
onbekend
b d, bd, b r, br, bez daty, bez roku, brak daty, niedatowany, niedatowana, niedatowane, data nieznana
nieznana, nieznany, nieznane
sem data, nao datado, data desconhecida, desconhecida, desconhecido, sense data
odaterad, odat, utan ar, u a, okant, okand, ar okant, udateret, uden ar, ukendt, dato ukendt
udatert, ukjent
dato ukjent, ajoittamaton, paivaamaton, tuntematon, ei tiedossa
nedatovano, nedatovane, bez data, nezname, neznamy, e n, ev nelkul, datum nelkul, keltezetlen, ismeretlen
fara data, nedatat, necunoscut, necunoscuta, f a
χ χ, αχρονολογητο, αγνωστη, αγνωστο, б г, б д, без даты, без года, без датата, неизвестно, неизвестна
"""

_UNKNOWN: Final = """
unknown, unknowns, unidentified, anonymous, anon, unattributed, unrecorded, unspecified
unbekannt, unbekannte, unbekannter, unbekanntes, unbekannten, anonym, anonymer, anonyme, anonymes
anonymus
unidentifiziert, inconnu, inconnue, inconnus, inconnues, anonymes, ignoto, ignota, ignoti
sconosciuto, sconosciuta
sconosciuti, anonimo, anonimi, desconocido, desconocida, desconocidos, anonimos, desconhecido
desconhecida
desconegut, anonim, anoniem, anonieme, onbekend, onbekende, ongeidentificeerd, nieznany, nieznana
nieznani
anonimowy, okand, okanda, okant, anonymt, ukendt, ukjent, tuntematon, tuntemattomat, othekktur
neznamy, neznama
anonymni, nepoznat, nepoznati, neznan, neznani, ismeretlen, necunoscut, necunoscuta, tundmatu, nezinams
nezinomas, ezezaguna, anhysbys, bilinmiyor, αγνωστος, αγνωστη, ανωνυμος, неизвестен, неизвестный
неизвестная
неизвестно, неизвестни, неизвестна, невідомий, анонимный, анонимен, непознат
"""

_NOBODY: Final = """
not known, not identified, not recorded, not available, not applicable, none, null, n a, na, s n, n n, nn
no artist, no maker, no author, no creator, untitled
staff, the staff, staff artist, staff artists, staff member, staff members, staff photographer
staff photographers, various, various artists, various makers, various photographers, multiple
multiple artists
nicht bekannt, nicht identifiziert, k a, keine angabe, ohne angabe, verschiedene, verschiedene
kunstler, diverse
non identifie, sans auteur, sans nom, divers, non renseigne, non identificato, senza autore, autori
vari, aa vv
no identificado, sin autor, sin identificar, varios, varios autores, niet geidentificeerd, niet bekend
zonder auteur, diverse kunstenaars, brak autora, brak, rozni, ei tiedossa
"""

_TRADES: Final = """
artists, makers, authors, creator, creators, manufacturers, master, school, workshop, hand, century
person, woman
man, lady, gentleman, amateur
kunstler, kunstlerin, fotograf, fotografin, maler, meister, hersteller, autor, verfasser, urheber
werkstatt
artiste, auteur, photographe, peintre, maitre, fabricant, graveur, sculpteur, atelier
artista, autore, fotografo, pittore, maestro, scultore, incisore, bottega, pintor, fabricante
grabador, escultor
kunstenaar, maker, fotograaf, schilder, meester, vervaardiger, artysta, malarz, fotograf, tworca, mistrz
konstnar, upphovsman, kunstner, kunstnar, ophavsmand, taiteilija, valokuvaaja, tekija, umelec
muvesz, szerzo
"""


def _values(table: str) -> frozenset[str]:
    return frozenset(fold(value.strip()) for line in table.splitlines() for value in line.split(","))


_WORD: Final = re.compile(r"[^\W_]+")
_DATELESS, _UNNAMED, _NOBODIES, _BESIDE = map(_values, (_NO_DATE, _UNKNOWN, _NOBODY, _TRADES))
_TRADE: Final = re.compile(rf"(?i:{TRADES})")
_NO_FORENAME: Final = frozenset({"unknown", "unidentified", "anonymous", "unattributed"})
_ARTICLE: Final = re.compile(r"(?i)\A\W*(?:(?:the|an?)\s+)?|\(s\)|\(in\)")
_NOT_KNOWN: Final = re.compile(
    r"(?i)\b(?:not|nicht|non|niet|no)\s+(?:known|recorded|bekannt|bekend|identifi\w+)"
)
_REMARK: Final = re.compile(r"(?<=\w)\s*[,(\[;:/]|\s[-–—]\s")


def says_no_date(text: str) -> bool:
    """Whether a date field says that no date is known, or holds neither a letter nor a digit but 0.

    >>> [says_no_date(text) for text in ("(undated)", "N.D.", "o. J.", "????", "0000-00-00", "Meiji period")]
    [True, True, True, True, True, False]
    """
    words = _WORD.findall(fold(text))
    return " ".join(words) in _DATELESS or all(not word.strip("0") for word in words)


def says_no_maker(text: str) -> bool:
    """Whether a value of a creator field, or a name in one, says that the maker is not known.

    Beside 'unknown' and its translations only a trade, a nation, or words in lower case may stand; any
    other capitalised word makes it a name. What follows a comma or stands in brackets is a remark. The
    English words are no forenames: behind them a capitalised word is a people (unknown Baulé), unless
    the whole is an institution.

    >>> [says_no_maker(text) for text in ("unbekannter Künstler", "Anonymous (French)", "-")]
    [True, True, True]
    >>> [says_no_maker(text) for text in ("Unknown Warriors Studio", "Inconnu Jean", "Staff of Life")]
    [False, False, False]
    """
    words = _WORD.findall(fold(text))
    if not words or " ".join(words) in _NOBODIES:
        return True
    plain = _NOT_KNOWN.sub("unknown", _ARTICLE.sub("", text))
    head = _WORD.findall(_REMARK.split(plain)[0])
    return _names_nobody(_WORD.findall(plain)) or _names_nobody(head)


def _names_nobody(words: list[str]) -> bool:
    if not any(fold(word) in _UNNAMED for word in words):
        return False
    if fold(words[0]) in _NO_FORENAME and not INSTITUTION.search(" ".join(words)):
        return True
    return all(_describes(word) for word in words)


def _describes(word: str) -> bool:
    """Whether a word beside 'unknown' is none of a name: a trade, a nation, a number or in lower case."""
    folded = fold(word)
    return (
        not word[0].isupper()
        or folded in _UNNAMED
        or folded in _BESIDE
        or _TRADE.fullmatch(folded) is not None
        or is_culture(word)
        or re.fullmatch("[IVX]+", word) is not None
    )
