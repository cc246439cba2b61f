"""Reasons say only what both records hold."""

from service.reasons import reason
from service.settings import Settings
from tests.service.builders import recommender, record

CANAL = record("a:1", "Bacino", "Canal, Giovanni Antonio", "A boat on the basin of Venice.", "1738")
VIOLIN = record("a:2", "Violin", "Stradivari, Antonio", "Of the workshop in Cremona.", "1716")
OTHER = record("a:3", "Riva", "Canal, Giovanni Antonio", "The quay of Venice on the water.", "1740")


def author(left: int, right: int, settings: Settings) -> str:
    records = [CANAL, VIOLIN, OTHER]
    asked = recommender(records, settings)
    scored = asked.score(records[left].id, records[right].id)
    assert scored.reasons[1] == reason(
        scored.explanations[1], scored.left, scored.right, asked.collection.manifest.features
    )
    return scored.reasons[1]


def test_a_shared_first_name_is_not_a_shared_creator(settings: Settings) -> None:
    assert author(0, 1, settings) == "Their creators share “Antonio”."
    assert author(0, 2, settings) == "Both are by “Canal, Giovanni Antonio”."


def test_small_words_are_not_what_two_items_share(settings: Settings) -> None:
    said = recommender([CANAL, VIOLIN, OTHER], settings).score("a:1", "a:3").reasons[7]
    assert said == "Both have “Venice” in the description."
