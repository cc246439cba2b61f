"""The words by which texts say that an item is part of a whole, in seven languages: regular expressions."""

import re
from typing import Final

WHOLE: Final = (
    r"series|suites?|sets?|albums?|portfolios?|sketch-?books?|scrap-?books?|note-?books?|book|cycle|atlas"
    r"|manuscript|codex|photo-?albums?"
    r"|serie|folge|stichfolge|bilderfolge|reihe|mappe|mappenwerk|skizzenbuch|zyklus|buch|handschrift"
    r"|série|recueil|carnet|livre|manuscrit"
    r"|reeks|prentreeks|fotoalbum|prentenalbum|schetsboek|plakboek|boek|[a-z]*atlas"
    r"|raccolta|cartella|taccuino|ciclo|libro|álbum|carpeta|cuaderno|manuscrito|manoscritto"
    r"|serien|albumet|sviten|mappen|skissboken|boken"
)
"""What has parts."""

GATHERED: Final = (
    r"papers|records|collections?|archives?|projects?|verzameling|collectie|nachlass|fonds|sammlung|samling"
    r"|projekt|projet|progetto|proyecto"
)
"""What holds things of many hands together."""

COLLECTIVE: Final = rf"{GATHERED}|service|ensemble|groep"

_A: Final = r"an?|einer|eines|einem|une?|een|uno|una|ett?"
THE: Final = r"the|this|his|her|their|der|die|das|dem|den|des|le|la|les|het|de|il|lo|gli|el|los|las|det|en"
ARTICLE: Final = rf"{THE}|{_A}"

OUT_OF: Final = r"from|aus|uit|ur|från|dalla|dal|dall['’]"
FROM: Final = (
    rf"{OUT_OF}|della|del|dello|d['’]après|tirée?\s+d[eu]|extraite?\s+d[eu]|de|du"
    r"|(?:nr|no|plate)\.?\s+\d+\s+(?:in|of)"
)
PART_OF: Final = (
    r"(?:is|was|are|were|forms?|forming|originally|probably|perhaps)\s+part\s+of|belongs\s+to|gehört\s+zu"
    r"|teil\s+(?:der|des|von)|fait\s+partie\s+d[eu]|onderdeel\s+van|deel\s+uit\s+van|foto(?:afdruk)?\s+in"
    r"|fa\s+parte\s+d[ei]\w*|forma\s+parte\s+del?|ingår\s+i|del\s+av"
)
LABEL: Final = (
    r"in|series|suite|set|album|portfolio|sketchbook|(?:is\s+)?part\s+of|serie|folge|mappe|teil\s+von|aus|série"
    r"|recueil|fait\s+partie\s+de|extrait\s+de|onderdeel\s+van|deel\s+van|uit|reeks|parte\s+d[ei]|álbum|del\s+av"
    r"|ingår\s+i"
)
TITLED: Final = (
    r"\s+(?:entitled|titled|called|betitelt|intitulée?|getiteld|(?:dal\s+)?titolo|titulad[oa]|med\s+titeln)"
)
LINK: Final = (
    r"a|an|and|after|at|by|for|from|in|into|near|of|on|or|the|to|with|und|der|die|das|des|dem|den|im|von|zu|aus"
    r"|et|le|la|les|de|du|sur|en|het|een|van|op|te|uit|il|lo|gli|e|di|da|del|della|dei|y|el|los|las|av|och|i"
)
PIECE: Final = (
    r"leaf|leaves|folios?|plates?(?=\s*\()|bifolium|pages?|title[- ]page|frontispiece|illustration"
    r"|in-text\s+plate|cutting|blatt|seite|planche|feuillet|bladzijde|illustratie|foglio|pagina|illustrazione|página|ilustración"
    r"|plansch"
)
NUMBERED: Final = (
    r"plates?|pl\.|folio|fol\.|leaf|sheet|blatt|bl\.|tafel|taf\.|planche|plaat|blad|tavola|tav\.|lámina"
)
PAGED: Final = r"folio|fol\.|f\.|ff\.|page|p\.|pp\.|folder|blatt|bl\.|blad"

_SMALL: Final = frozenset(f"{LINK}|{ARTICLE}|no|nr|vol|part|its".split("|"))
_GENERIC: Final = frozenset(
    re.findall(
        r"\S+",
        """
        album albums series set sets suite portfolio sketchbook sketchbooks scrapbook notebook book books
        volume volumes manuscript manuscripts codex atlas collection collections group pair same larger
        large small similar complete original famous first second third other another photographs photograph
        photos prints print drawings drawing etchings etching engravings engraving lithographs woodcuts
        plates plate paintings sheets leaves pages works illustrations museum gallery library artist unknown
        untitled serie folge mappe buch série recueil verzameling collectie groep fotoalbum reeks foto
        foto's fotos prenten tekeningen raccolta sammlung papers records
        qur'an quran qur’an koran bible hours breviary missal psalter gradual antiphonary antiphonal gospel
        gospels lectionary prayer choir testament new old homilary hymnal shahnama shahnameh khamsa sutra
        """,
    )
)
"""Kinds of wholes and of their parts, and texts of which there are many copies: they name no one thing."""


def content_words(name: str) -> list[str]:
    """The words of a name that tell it from others of its kind.

    >>> content_words("the Book of Hours"), content_words("Sketchbook of Rome")
    ([], ['Rome'])
    """
    words = [word.strip("'’-.") for word in re.findall(r"[^\W_][\w'’.-]*", name)]
    return [
        word
        for word in words
        if len(word) > 1 and not word.isdigit() and word.casefold() not in _SMALL | _GENERIC
    ]
