"""Scores in words. The thresholds stand here alone: pages, the widget and rows in Python share them."""

from typing import Final

_WORDS: Final = (
    (4.5, "very close"),
    (3.5, "close"),
    (2.5, "related"),
    (1.5, "loosely related"),
    (0.5, "distant"),
)
"""From this score on a similarity is called so: each word stands around a whole number of the scale."""

NOTHING: Final = "nothing to compare"
"""Said where neither item has anything of a type, so that there is no score."""


def closeness(score: float | None) -> str:
    """A score from 0 to 5 in words.

    >>> [closeness(score) for score in (5.0, 4.5, 3.6, 2.5, 1.6, 0.5, 0.0)]
    ['very close', 'very close', 'close', 'related', 'loosely related', 'distant', 'unrelated']
    >>> closeness(None)
    'nothing to compare'
    """
    if score is None:
        return NOTHING
    return next((words for least, words in _WORDS if score >= least), "unrelated")
