"""The parts of a description that are about the record and not about the item: boilerplate, by general rules.

Credit lines, provenance, copyright forms, reference numbers and the format of a copy say nothing of what an
item shows, and make items of one museum alike. The rules know no museum. Nothing is deleted: a measure
chooses what it sees. A clause of a sentence is boilerplate or content as a whole; a provenance goes on over
the next sentences as long as they speak of handing over or are mere lists of names. The rules here are of
English; :mod:`features.text.acquisition` has the words of other languages.
"""

import re
from typing import Final, TypeAlias

from features.text.acquisition import YEAR, acquisition
from features.text.caches import text_cache
from features.text.tokenizer import tokenize

Spans: TypeAlias = tuple[tuple[int, int], ...]
"""Parts of a text by their offsets ``[start, end)``, in text order, none touching the next."""

_HOLDER: Final = (
    r"(?:the\s+)?(?:museum|gallery|nation|library|trust|trustees|society|archives?|collection|tate)"
)
_PROVENANCE: Final = re.compile(
    r"(?i)\W*(?:provenance|ownership history|previous owners?|custodial history)\s*:"
)
_LABEL: Final = re.compile(
    r"(?i)\W*(?:"
    r"(?:museum\s+)?purchase\s*:"
    r"|credit(?:s|\s+line)?\s*:"
    r"|form\s+completed\b|registration\s+stamp\b|date\s+of\s+(?:agreement|registration)\b"
    r"|(?:names?\s+of\s+)?part(?:y|ies)\s+to\s+(?:the\s+)?agreement\b"
    r"|(?:copyright\s+)?(?:owner|author|proprietor)(?:\s+and\s+(?:owner|author|proprietor))?\s+of\s+(?:the\s+)?(?:work|copyright)\b"
    r"|(?:accession|acquisition|inventory|catalogue|reference|former\s+reference|negative|object|item|file|box)"
    r"\s*(?:sheet\s+)?(?:numbers?|no\.?|nos\.?|code|date|method|source)?\s*:"
    r"|(?:negative|neg\.?)\s+(?:sheet\s+)?(?:number|no)\b"
    r"|(?:physical\s+(?:condition|characteristics|format)|condition|dimensions?|extent|file\s+format)\s*:"
    r"|(?:rights?|licen[cs]e|usage|access|restrictions?|copyright|citation|held\s+by|custodian)[\w ]{0,24}:"
    r"|(?:foot)?notes?\s*:\W*(?:[\[(]?\d+[\])]?\W*)*$"
    r")"
)
_LAW: Final = re.compile(
    r"(?i)©|\bcopyright\s+(?:owner|author|holder|proprietor|of\s+work|reserved)|\ball\s+rights\s+reserved"
    r"|\bcrown\s+copyright|\b(?:entry|application)\s+form\b|\bregistration\s+stamp\b"
    r"|\bno\s+cop(?:y|ies)\s+of\b.*\b(?:annexed|attached|enclosed)"
    r"|\breproduced\s+(?:by|with)\s+(?:the\s+)?(?:kind\s+)?permission|\blicen[cs]ed\s+under\b"
    r"|\bcontained\s+(?:with)?in\s+(?:box|volume|folder)\b|^\W*(?:imag|photo)\w*\s+(?:courtesy|credit)|^\W*courtesy\b"
)
_ACQUIRED: Final = re.compile(
    r"\W*(?:(?i:jointly|partial(?:ly)?|partly|anonymously|originally)\s+)?"
    r"(?:(?i:presented|purchased|bequeathed|donated|given|gifted|accepted|transferred|acquired|lent|loaned"
    r"|deposited|bought|allocated|accessioned|received)"
    r"(?:\W*$|,?\s*(?:" + YEAR + r")\b"
    r"|\s+(?i:by|from|through|using|jointly|anonymously|under\s+the|with\s+(?:\w+\s+){0,2}?(?:funds?|funding|assistance"
    r"|support|help|aid|contributions?)|as\s+(?:part|a|an)\b|in\s+(?:memory|honou?r|lieu)|to\s+"
    + _HOLDER
    + r")\b)"
    r"|(?i:on\s+(?:\S+\s+)?loan|source\s+unknown|found\s+in\s+(?:the\s+)?collection|by\s+exchange|in\s+lieu\s+of)\b)"
)
_GIFT: Final = re.compile(
    r"\W*(?:\w+['’]?s?\s+){0,2}?(?i:gift|bequest|donation|purchase|transfer|loan|deposit|exchange)s?"
    r"(?:\W*$|,?\s*(?:" + YEAR + r")\b|\s*[,:]"
    r"|\s+(?i:from|by|through|in\s+(?:memory|honou?r)|with\s+(?i:funds|assistance))\b"
    r"|(?<=[tn])\s+of\s+(?:[^\W\d_a-z]|(?i:the|an|a|his|her|mr|mrs|several|various|anonymous|friends|members)\b))"
)
_FUNDED: Final = re.compile(
    r"(?i)\bwith\s+(?:the\s+)?(?:funds|assistance|support|help|contributions?|additional\s+funds)\s+(?:\w+\s+)?(?:from|by|of)\b"
    r"|\bacquired\s+(?:jointly|by|through|with|from)\b|\bin\s+lieu\s+of\s+(?:\w+\s+)?tax\b"
)
_FUND: Final = re.compile(
    r"^(?!\W*\d).*(?:\b(?:Funds?|Endowment|Bequest|Donation|Gift)\W*$|\bFunds?\s+(?:and|for)\b"
    r"|\b(?:Acquisition|Purchase|Art)\s+(?:Funds?|Awards?|Endowment)\b)"
)
_HANDED: Final = re.compile(
    r"(?i)\b(?:gift|gave|given|bequest|bequeathed|descent|descended|inherited|inheritance|sold|sale|bought|purchased|acquired"
    r"|donated|donation|loaned|lent|consigned|commissioned|estate|heirs?|widow|dealers?|auction\w*|lot|lugt|ownership"
    r"|collection|museum|gallery|galleries|until|possession|transferred|exchange)\b"
)
_SMALL: Final = re.compile(
    r"a|an|and|at|by|c|ca|de|del|der|des|di|du|et|for|from|his|her|in|la|le|mr|mrs|no|of|on|or|the|their|to|until"
    r"|v|van|von|vol|with|through|jointly|wife|husband|son|daughter|mother|father|brother|sister|estate|artist"
)
_FORMAT: Final = re.compile(
    r"(?i)\W*(?:(?:photo(?:graph)?(?:ic|s)?|negatives?|neg|films?|sheets?|numbers?|nos?|box|slides?|transparenc(?:y|ies)|prints?"
    r"|copy|copies|digital|scan(?:s|ned)?|images?|files?|jpe?g|tiff?|frames?|rolls?|bound|volumes?|folders?|glass|format|of|in"
    r"|safety|nitrate|acetate|mounted|loose|original|duplicates?|[^\W\d]*\d\w*|mm|cm|x|×)\b\W*)+"
)  # fmt: skip
_COPY: Final = re.compile(
    r"(?i)\b(?:negatives?|neg|transparenc\w+|slides?|scan\w*|jpe?g|tiff?|file|duplicates?|volume|box)\b"
)
_CUT: Final = (
    r"(?<=\s)(?:Copyright\s+(?:owner|author)|Form\s+[Cc]ompleted|Registration\s+stamp|No\s+cop(?:y|ies)\s+of)\b"
    r"|(?<=[.?!)'’\"”]\s)(?:Presented|Purchased|Bequeathed|Accepted\s+by|Gift\s+of|Bequest\s+of)\b"
)
_CLAUSE: Final = re.compile(rf"[^;](?:(?!{_CUT})[^;])*;?|;")
"""A clause ends at a semicolon, and before a form or a credit line that no full stop was seen before."""

_CAPITALISED: Final = 0.8
"""Of the words of a list of names at least so many are capitalised, numbers or small words."""


def boilerplate_spans(text: str) -> Spans:
    """The clauses of a description that are about the record.

    >>> text = "Oil paint on canvas. Presented by the artist 1994"
    >>> [text[start:end] for start, end in boilerplate_spans(text)]
    ['Presented by the artist 1994']
    """
    return _joined(text, [(start, end) for start, end, about in _marked(text) if about])


def content_spans(text: str) -> Spans:
    """The clauses of a description that are about the item: all that is not boilerplate.

    >>> text = "Two boats; gift of Mary Smith. A storm is near. Photographic Negative"
    >>> [text[start:end] for start, end in content_spans(text)]
    ['Two boats;', 'A storm is near.']
    """
    return _joined(text, [(start, end) for start, end, about in _marked(text) if not about])


@text_cache(2000, longest=5000)
def _marked(text: str) -> tuple[tuple[int, int, bool], ...]:
    """Every clause with whether it is boilerplate; asked as a text is read, and again as it is encoded."""
    clauses: list[tuple[int, int, bool]] = []
    chain = False
    for sentence in tokenize(text):
        start, end = sentence[0].start, sentence[-1].end
        whole = text[start:end]
        chain = (chain and _hands_over(whole)) or _is_provenance(whole)
        if chain or _is_labelled(whole):
            clauses.append((start, end, True))
        else:
            own = [(one.span(), _is_boilerplate(one.group())) for one in _CLAUSE.finditer(whole)]
            clauses += [(start + first, start + last, about) for (first, last), about in own]
    return tuple(clauses)


def _is_provenance(sentence: str) -> bool:
    return bool(_PROVENANCE.match(sentence) or acquisition().provenance.match(sentence))


def _hands_over(sentence: str) -> bool:
    """Whether a sentence goes on with a provenance."""
    handed = _HANDED.search(sentence) or acquisition().handed.search(sentence)
    return handed is not None or _lists_names(sentence)


def _is_labelled(clause: str) -> bool:
    return bool(_LABEL.match(clause) or acquisition().label.match(clause))


def _is_boilerplate(clause: str) -> bool:
    if _is_labelled(clause) or acquisition().credit.match(clause):
        return True
    if _LAW.search(clause) or _ACQUIRED.match(clause) or _GIFT.match(clause):
        return True
    if _FORMAT.fullmatch(clause) and _COPY.search(clause):
        return True
    return bool(_FUNDED.search(clause) or _FUND.search(clause)) and _lists_names(clause)


def _lists_names(clause: str) -> bool:
    words = re.findall(r"[^\W_]+", clause)
    named = sum(not word[0].islower() or _is_small(word) for word in words)
    return bool(words) and named >= _CAPITALISED * len(words)


def _is_small(word: str) -> bool:
    return _SMALL.fullmatch(word) is not None or word in acquisition().small


def _joined(text: str, spans: list[tuple[int, int]]) -> Spans:
    """Spans with nothing but blanks between them made one, and trimmed of blanks."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        start, end = trim(text, start, end)
        if start < end and joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        elif start < end:
            joined.append((start, end))
    return tuple(joined)


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without the blanks at its ends."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
