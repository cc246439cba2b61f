"""The names of what a fact is of, and of how it belongs to an item; light enough for every command."""

from typing import Literal, TypeAlias

FactKind: TypeAlias = Literal[
    "maker", "culture", "person", "place", "date", "event", "concept", "set", "words"
]
"""What a fact is of, by the theme of its evidence."""

FactRole: TypeAlias = Literal["maker", "shown", "made", ""]
"""How a fact belongs to the items: who made or whom they show, when or where they were made; or unknown."""
