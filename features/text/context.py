"""The parts of a description that tell of an item's context, not of what it shows.

Half of what museums write of things is history, whose people and deeds the item does not show. Descriptions
say what is shown in the present tense, with a verb of depicting, or without a verb. So a sentence is context
as a whole where it has a past tense or a modal verb and no verb of depicting; of other sentences the maker,
user or receiver of a thing ('worn by both men and women') is. The rules know English, and no museum.
"""

import re
from typing import Final

from features.text.boilerplate import Spans, content_spans, trim
from features.text.caches import text_cache
from features.text.tokenizer import tokenize

_DEPICTS: Final = re.compile(
    r"(?i)\b(?:depict(?:s|ed|ing)?|show(?:s|n|ing)|represent(?:s|ed|ing)|portray(?:s|ed|ing)?"
    r"|illustrat(?:es|ing)|pictured|(?:is|are)\s+seen)\b"
)
_PAST: Final = re.compile(r"(?i)\b(?:was|were|had|did|would|could|might|may|must|can|should)\b")
_DID: Final = re.compile(
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|[Ww]ho|[Ww]hich|[^\W\d_a-z]\w+|\w+s)\s+(?:also\s+|first\s+|later\s+)?"
    r"(?:\w+ed|became|began|made|gave|wrote|bought|sold|built|took|came|went|won|fought|knew)\s+"
    r"(?:the|a|an|that|his|her|their|its|it|them|this|these|[^\W\d_a-z]\w+)\b"
)
"""A verb in the simple past behind what may be its subject."""
_POINTER: Final = re.compile(r"(?i)\b(?:please\s+see|for\s+(?:more|further)\s+information|see\s+also|cf\.)")

_AGENT: Final = re.compile(
    r"(?i)\b(?:worn|used|made|given|owned|commissioned|carried|collected|offered|placed|intended|written|signed"
    r"|published|sold|produced|created|designed|known|called|believed)\b"
    r"(?:\s+\w+){0,2}?\s+((?:by|for|to)\b[^,.;:()]*)"
)
"""Who made, used or received a thing: the first group."""


@text_cache(2000, longest=5000)  # asked as a text is read, and again as it is encoded
def context_spans(text: str) -> Spans:
    """The parts of a description that tell of its item's context.

    >>> text = "Egyptians believed that it brings luck. A buckle worn by women, with a lion"
    >>> [text[start:end] for start, end in context_spans(text)]
    ['Egyptians believed that it brings luck.', 'by women']
    """
    spans: list[tuple[int, int]] = []
    for tokens in tokenize(text):
        start, end = tokens[0].start, tokens[-1].end
        sentence = text[start:end]
        past = not _DEPICTS.search(sentence) and (_PAST.search(sentence) or _DID.search(sentence))
        if past or _POINTER.search(sentence):
            spans.append((start, end))
        else:
            spans += [(start + agent.start(1), start + agent.end(1)) for agent in _AGENT.finditer(sentence)]
    return tuple(spans)


def shown_spans(text: str) -> Spans:
    """The parts of a description that tell what an item shows: neither boilerplate nor context.

    >>> text = "A buckle worn by women, with a lion. Gift of Ada Reed. It was found in Ur"
    >>> [text[start:end] for start, end in shown_spans(text)]
    ['A buckle worn', ', with a lion.']
    """
    context = context_spans(text)
    spans: list[tuple[int, int]] = []
    for start, end in content_spans(text):
        for first, beyond in context:
            if start < beyond and first < end:
                spans.append((start, first))
                start = max(start, beyond)
        spans.append((start, end))
    trimmed = (trim(text, *span) for span in spans)
    return tuple(span for span in trimmed if span[0] < span[1])
