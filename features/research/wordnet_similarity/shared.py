"""What a measure of two synsets is computed from: one synset that stands above both, or is one of them."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from features.arrays import Doubles


class Shared(NamedTuple):
    """Pairs of synsets, each with one ancestor that both share; a synset counts among its own ancestors.

    ``left`` and ``right`` are the steps from either synset up to the ancestor, ``depth`` the nodes from the
    root to the ancestor (1 for the root), ``content`` the information content of the ancestor, and
    ``left_content`` and ``right_content`` those of the synsets. ``deepest`` is how many steps the longest way
    to the root has, ``most`` the highest information content there is, of the part of speech of each pair.
    """

    left: Doubles
    right: Doubles
    depth: Doubles
    content: Doubles
    left_content: Doubles
    right_content: Doubles
    deepest: Doubles
    most: Doubles


SynsetSimilarity: TypeAlias = Callable[[Shared], Doubles]
"""Values in [0, 1] of pairs by one shared ancestor each; two synsets have the highest of all they share."""
