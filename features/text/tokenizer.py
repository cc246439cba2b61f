"""Splits a text into sentences of tokens the way UD GUM does, by rules for English museum records."""

import re
from typing import Final, NamedTuple

VERSION: Final = 1
"""Raised with every change of a rule: analyses made under other rules are not comparable."""

_LONGEST_SENTENCE: Final = 250
"""Lists and provenances can go on for pages; the taggers' memory grows with the longest sentence."""

_INNER: Final = (  # never the end of a sentence
    "Mr|Mrs|Ms|Messrs|Dr|Prof|Rev|Revd|Hon|Sir|St|Ste|Mt|Ft|Gen|Col|Capt|Maj|Lt|Sgt|Cpl|Cdr|Adm|Gov|Sen|Rep|Pres"
    "|Supt|Mme|Mlle|Mons|Sta|No|Nos|no|nos|fig|Fig|figs|pl|Pl|pls|vol|Vol|vols|pp|p|ff|fol|cat|ca|c|approx|b|d|vs|v"
    "|cf|e\\.g|i\\.e|viz|ed|eds|Ed|trans|suppl|Suppl|inv|Inv|nr|illus|bapt|attrib|attr|Ph|Cat|ref|Ref|repr|Bros"
)
_FINAL: Final = "Jr|Sr|Inc|Ltd|Co|Corp|Esq|Ave|Blvd|Rd|etc|al|a\\.m|p\\.m|dept|Dept|Univ|Assn|div|Bldg|Mfg"
_PREFIXES: Final = (
    "anti|co|counter|cross|e|ex|extra|inter|intra|mega|micro|mid|mini|mis|multi|neo|non|pan|post|pre|pro|proto"
    "|pseudo|quasi|re|semi|sub|super|supra|trans|ultra|un|vice"
)
_TOKEN: Final = re.compile(
    rf"""
    (?:https?://|www\.)[^\s<>"]*[^\s<>"'’”.,;:!?)\]]
  | (?<![\w.+-])[\w.+-]{{1,64}}@\w[\w-]*(?:\.[\w-]+)+
  | [&][#]?\w{{2,6}};
  | (?:(?<=^)|(?<=\n))\d+(?:\.\d+)*\.(?=\s+[^\W\d_a-z])       # a heading's number
  | \d+(?:,\d{{3}}(?!\d)|[.:/]\d+)+\w*
  | Ph\.D\.|M\.Sc\.|B\.Sc\.
  | \d+['’]s\b
  | (?:[^\W\d_]\.){{2,}}(?:[^\W\d_](?=[,;)\s]))?      # U.S.  J.M.W.
  | (?<![\w'’])(?:{_INNER}|{_FINAL})\.(?!\w*\.\w)(?=$|\W|\d|[A-Z])   # Mrs.  c.1860
  | (?<![\w.])[^\W\d_a-z]\.(?=\s*[,;:]|\s+["“'‘(\[]?[^\W\d_a-z]|-|[^\W\d_a-z]{{2}})   # the J. of J. Smith
  | (?<!\w)(?i:can(?=not\b)|gon(?=na\b)|wan(?=na\b)|got(?=ta\b))
  | \w+?(?=[nN]['’`][tT]\b) | [nN]['’`][tT]\b
  | (?<=\w)['’](?i:s|m|d|re|ve|ll)\b
  | (?<![\w-])(?i:{_PREFIXES})-\w+(?=\W|$)
  | \w+(?:&\w+)+
  | [^\W\d_]+(?:['’](?!(?i:s|m|d|re|ve|ll|t)\b)[^\W\d_]+)+
  | \w+
  | \.{{2,}} | -{{2,}} | [?!]+ | \S
    """,
    re.VERBOSE,
)
_FINAL_TOKEN: Final = re.compile(rf"(?:{_FINAL}|U\.S|U\.K|D\.C|B\.C|A\.D|[A-Z]|(?:[A-Z]\.)+[A-Z])\.")
_STARTER: Final = re.compile(
    r"\s*(?:The|An|In|On|At|It|Its|He|She|His|Her|They|Their|This|That|These|There|We|But|And|As|For|From|By|After"
    r"|Before|When|While|Also|Later|With|Gift|Bequest|Provenance|Notes?|Photographer|Location|Subjects)\b"
)
_CLOSERS: Final = re.compile(r"(?:[\"'”’)\]»]|\s?\[\d+(?:\s*[-–,]\s*\d+)*\])*")
_BREAK: Final = re.compile(r"\n\s*\n|(?<=[.!?:;)\]\"'”’])[ \t]*\n")


class Span(NamedTuple):
    """A token's place in its text: `text[start:end]`."""

    start: int
    end: int


def tokenize(text: str) -> list[list[Span]]:
    """Give the sentences of a text, each as the spans of its tokens; a blank text has none."""
    sentences: list[list[Span]] = []
    begin = 0
    for end, following in [*(match.span() for match in _BREAK.finditer(text)), (len(text), len(text))]:
        _paragraph(text, begin, end, sentences)
        begin = following
    return sentences


def _paragraph(text: str, begin: int, end: int, into: list[list[Span]]) -> None:
    sentence: list[Span] = []
    closed_by = -1
    for token in _TOKEN.finditer(text, begin, end):
        start, stop = token.span()
        if sentence and ((closed_by >= 0 and start >= closed_by) or len(sentence) >= _LONGEST_SENTENCE):
            into.append(sentence)
            sentence = []
        if closed_by >= 0 and start >= closed_by:
            closed_by = -1
        sentence.append(Span(start, stop))
        if text[stop - 1] in ".!?…":
            closed_by = max(closed_by, _sentence_end(text, start, stop, end, len(sentence)))
    if sentence:
        into.append(sentence)


def _sentence_end(text: str, start: int, stop: int, end: int, position: int) -> int:
    """Give the offset at which a sentence ends if the token closes it, else -1."""
    closers = _CLOSERS.match(text, stop, end)
    after = closers.end() if closers else stop
    if after >= end or not text[after].isspace() or position == 1:
        return -1
    token = text[start:stop]
    if token[0].isdecimal():
        return -1
    if len(token) > 1 and token[0].isalpha():
        return after if _FINAL_TOKEN.fullmatch(token) and _STARTER.match(text, after, end) else -1
    following = next((c for c in text[after : after + 9] if not c.isspace()), " ")
    if following.islower():
        whole_word = text[max(start - 2, 0) : start].isalnum()  # not 'E. coli'
        return after if token == "." and after == stop and whole_word else -1  # noqa: S105 (no secret)
    return after if following not in ",;:.-–—" else -1
