"""The words that tell what a creator field holds: firms, titles, honours, roles, particles, nobodies."""

import re
from typing import Final

from features.text.word_lists import word_list

PARTICLES: Final = word_list("particle")

INSTITUTION: Final = re.compile(
    r"\b(?:Co|Company|Compagnie|Cie|Inc|Incorporated|Ltd|Limited|LLC|LLP|Corp|Corporation|GmbH|A/S|AG"
    r"|[A-Z][a-z]*(?:fabrik|werke)|Bros|Brothers|(?:&|and|et) (?:Sons?|Brothers?|Daughters?|Fils|Cie|Others"
    r"|Associates|Partners)|Museums?|Museo|Gallery|Galleries|Galerie|Society|Société|Factory|Factories"
    r"|Potter(?:y|ies)|Porcelain|Porzellan|Works|Manufactory|Manufacture|Manufacturers?|Manufacturing"
    r"|Manufaktur|Glassworks|Studios?|Ateliers?|Workshops?|Werkstatt|Werkstätten?|Hael-Werkstatten|Office"
    r"|Universit(?:y|ies)|School|College|Academy|Library|Archives?|Institute|Institution|Associates"
    r"|Associated|Association|Architects?|Architecture|Engineers|Publishers?|Publishing|Press|Verlag"
    r"|Department|Division|Ministry|Foundation|Partnership|Partners|Group|Project|Collective|Industries|Trust"
    r"|Council|Committee|Agency|Bureau|Board|Service|Survey|League|Union|Club|Guild|Editions|Printers"
    r"|Designs?|Laborator(?:y|ies)|Cent(?:er|re)|Team|Films?|Pictures|Records|Systems|Products|Lamps"
    r"|Furniture|Metalwork|Photographers|Stationers|Church of|Government|Imperial|Magazine|Newspapers?|Weekly"
    r"|Theatre|Hospital|Agents|Surveyors|Family|family|International|Art & Language|Arts and Crafts|Colony)\b"
    r"|\bS\. ?(?:A|C|p\. ?[Aa]|r\. ?l)\b|'s Church\b|\A(?:The(?! Hon)|Royal|Office of|Students of|Staff of) "
)
"""Words that no person is called (a painter may be a Mason, but hardly a Pottery)."""

MAKERS: Final = word_list("maker")
"""Makers known by one word."""

_OF = r"(?: de[rs]| von)"
OTHER_ROLES: Final = {  # German; French; Dutch; Italian; Spanish; Swedish
    "attributed to": r"zugeschrieben|attribuée? à|toegeschreven aan|attribuit[oa] a|atribuid[oa] a"
    r"|tillskriven",
    "workshop of": rf"werkstatt{_OF}|atelier d[eu]|werkplaats van|bottega di|taller de|verkstad hos",
    "circle of": rf"umkreis{_OF}|(?:entourage|cercle) d[eu]|(?:omgeving|kring) van|cerchia di|círculo de"
    r"|krets kring",
    "school of": rf"schule{_OF}|école d[eu]|school van|scuola di|escuela de",
    "follower of": rf"nachfolger{_OF}|suiveur d[eu]|navolger van|seguace di|seguidor de|efterföljare till",
    "copy after": r"kopie nach|copie d['’]après|kopie naar|copia d[ae]|kopia efter",
    "after": r"nach|d['’]après|naar|según|efter",
}
"""Roles in six other languages, by the English ones that they mean."""

ROLE: Final = (
    rf"{'|'.join(OTHER_ROLES.values())}|"
    r"(?:(?:formerly|previously) )?(?:attributed|ascribed) to|apprenticed to|school of(?: the)?|circle of"
    r"|studio of|workshop of(?: the)?|followers? of|manner of|in the manner of|style of(?: the)?"
    r"|in the style of|imitator of|pupil of|assistant of|cop(?:y|ied) (?:after|of|by|from)|(?:cast )?(?:after"
    r"|from) (?:an? |the )?(?:model|painting|drawing|print|engraving|design) (?:by|of)|after|formerly after"
    r"|possibly|probably|perhaps|(?:(?:engraved|etched|photographed|printed|published|designed|drawn|painted"
    r"|made|written|edited|illustrated|lithographed|commissioned|manufactured|carved|modelled|cast|built"
    r"|compiled|bound|copied|illuminated|transcribed|translated|owned|presented) )+(?:and [a-z]+ )?(?:by"
    r"|after)|by"
)
MODEL: Final = re.compile(
    r"school|circle|studio|workshop|follower|manner|style|imitator|pupil|assistant|apprentice|after|from"
    r"|cop(?:y|ied (?:of|by|from))"
)
"""Roles of a name that is a teacher's or a model's, not the maker's own."""
ROLE_BEFORE: Final = re.compile(rf"[\s\[(?]*(?P<role>(?i:{ROLE}))[\])]?\s+(?=\S)")
LABEL_BEFORE: Final = re.compile(
    r"\s*(?:(?P<label>(?i:[a-z][a-z/ -]{2,28}?))(?:\(s\))?(?: [0-9][0-9;, -]*)?(?:\s+:\s*|:\s+)"
    r"|[0-9][0-9, -]*\)\s*)(?=\S)"
)
"""``Photographer : ``, ``Photographs 1-9: ``, ``1-2) ``."""
TRADES: Final = (
    r"photographers?|painter|artist|engraver|etcher|sculptor|architect|publisher|printer|designer|maker"
    r"|author|editor|illustrator|draughtsman|lithographer|potter|silversmith|manufacturer|collector|goldsmith"
    r"|printmaker|director|compiler|calligrapher|weaver|decorator|scribe|copyist|illuminator|gilder|binder"
    r"|bookbinder|translator|commentator|poet|founder|caster|modell?er|enamell?er|jewell?er|clockmaker"
    r"|watchmaker|cabinetmaker|armou?rer|woodcutter|carver|chaser|patron|owner|former owner|donor|dealer"
    r"|retailer|dedicatee|sitter"
)
NO_MAKER: Final = re.compile(
    r"patron|owner|donor|dealer|retailer|collector|dedicatee|sitter|owned by|presented by|commissioned by"
)
"""Roles of those who had an item, or were shown, and did not make it."""
DEEDS: Final = (
    r"engraved|etched|photographed|printed|published|designed|drawn|painted|made|lithographed|manufactured|carved"
    r"|modelled|modeled|cast|built|compiled|bound|copied|illuminated|written|woven"
)
TRADE_AFTER: Final = re.compile(
    rf"\s*[,(\[]\s*(?P<role>(?i:{TRADES}|(?:{DEEDS})(?: and (?:{DEEDS}))? by))[)\]]?\s*\Z"
)
"""``, photographer``, ``(designer)``, ``, printed by``."""

TITLE_BEFORE: Final = re.compile(
    r"[\s(\[]*(?:Sir|Dame|Lady|Lord|The Hon|Hon|Honourable|Rt|Right Hon|Mr|Mrs|Miss|Ms|Mme|Mlle|Madame"
    r"|Mademoiselle|Monsieur|Dr|Doctor|Rev|Revd|Reverend|Prof|Professor|Capt|Captain|Maj|Major|Col|Colonel|Lt"
    r"|Lieut|Lieutenant|Gen|General|Admiral|Commander|Cdr|Brigadier|Sergeant|Sgt|Cpl|Comte|Comtesse|Baroness"
    r"|Viscount|Father|Fr)(?:-(?:Col|Colonel|Gen|General|Commander|Cdr|Governor))?[.)\]]*(?:\s+|\Z)"
)
HONOURS: Final = re.compile(
    r"(?:[\s,]+(?:OM|CH|RA|R\.?\s?A\.?|A\.?R\.?A\.?|PRA|PPRA|RSA|R S A|RWS|R\.?\s?H\.?\s?A|RI|OBE|MBE"
    r"|CBE|KBE|DBE|KCB|KCSI|CIE"
    r"|FRS|FSA|FRIBA|RIBA|DSO|MC|MVO|VC|MP|JP|QC|MD|PhD|Bt|Bart|Baronet|Esq|Esquire|AIA|M\.E|R\.A)\.?)+\s*\Z"
)
PEERAGE_AFTER: Final = re.compile(
    r"\s*,\s*(?:(?:[0-9]+(?:st|nd|rd|th)|[A-Z][a-z]+(?:th|rd|nd|st)|Sir)\s+)?(?:Earl|Duke|Duchess"
    r"|Duchess-Countess|Marquess|Marquis|Marchioness|Count|Countess|Viscount|Viscountess|Baron|Baroness"
    r"|Bishop|Archbishop|Bt|Bart|Prince|Princess|sieur|seigneur|called|known as|dit)\b.*\Z"
)
LORD: Final = re.compile(r"\s*,?\s*\b(?:Lord|Lady)\s(?=[A-Z])")
_ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth")
_NUMBERS = ("1st", "2nd", "3rd", *(f"{number}th" for number in range(4, 11)))
ORDINALS: Final = dict(zip(_ORDINALS, _NUMBERS, strict=True))
ORDINAL: Final = re.compile("|".join(_ORDINALS))
_ELDER = (
    r"the Elder|The Elder|the elder|the Older|Senior|Sr\.?|Snr\.?|l['’]ainé|l['’]aîné|père|d\. ?Ä\."
    r"|der Ältere|l['’]Ancien|il Vecchio|el Viejo|den äldre"
)
_YOUNGER = (
    r"the Younger|The Younger|the younger|Junior|Jr\.?|Jnr\.?|le [Jj]eune|fils|d\. ?J\."
    r"|der Jüngere|il Giovane|el Joven|den yngre"
)
GENERATIONS: Final = (
    # Marinus de Jonge is called so
    (re.compile(rf"(?:[\s,]+(?:{_ELDER})|,\s+de Oude)\s*\Z"), "the elder"),
    (re.compile(rf"(?:[\s,]+(?:{_YOUNGER})|,\s+de Jonge)\s*\Z"), "the younger"),
    (re.compile(r"[\s,]+\(?(?P<number>I|II|III|IV|V|VI|VII)\)?\s*\Z"), ""),
    (re.compile(r"\s+(?P<of>of [A-Z][\w' -]+)\Z"), ""),
)
"""What tells namesakes apart, and how the key writes it."""

CUT_AFTER: Final = re.compile(
    r"\s*(?:[,(\[]\s*)?(?:\b(?:b\.|d\.|born|died|active|fl\.|c\.|ca\.)\s*)?\b[12][0-9]{3}\b.*\Z"
    r"|[.,]?\s+(?:No\.?\s+)?[0-9]+\b.*\Z|\s+(?:c/o|care of|(?i:trading as))\b.*\Z"
    r"|\s*\bnée\b.*\Z|\s*,\s*active\b.*\Z",
    re.DOTALL,
)
"""Life dates, addresses and remarks behind a person's name."""
_NAMESAKE = r"\([IV]+\)\s*(?:\Z|[;(]|and\b|&|,\s*[0-9(])"
ASIDE: Final = re.compile(
    rf"[\"“”„`‘][^\"“”„`‘’']+[\"“”'’]|(?!{_NAMESAKE})\((?:[^()]|\([^()]*\))*\)?|[\[\]?]"
)
"""A nickname in quotes, what stands in parentheses but for a namesake's number, and an editor's brackets."""
MEMBERS: Final = re.compile(r"\s*\(([^()]*(?:;|\s(?:and|&)\s)[^()]*)\)")
"""The people of a group, named behind it in parentheses."""
MEMBER_JOINER: Final = re.compile(r";|\s(?:and|&)\s")
JOINER: Final = re.compile(r",?\s+(?:and|&|\+|with)\s+")

PLACES: Final = re.compile(
    r"(?:PA|NY|NJ|MA|CA|UK|USA|U\.S\.A\.?|Pittsburgh|Philadelphia|New York|Boston|Chicago|London|Paris|Rome"
    r"|Milan|Florence|Venice|Berlin|Munich|Vienna|Edo|Tokyo|Kyoto|Osaka|Cambridge|Oxford|Edinburgh|Glasgow"
    r"|Dublin|Manchester|Birmingham|Staffordshire|Yorkshire|Amsterdam|Delft|England|France|Italy|Germany"
    r"|Japan|China|India)\b"
)
