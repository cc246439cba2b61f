import pytest

from features.text.context import context_spans, shown_spans


def _parts(text: str) -> list[str]:
    return [text[start:end] for start, end in context_spans(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Two dancers carry drums.",
        "Woman washing a child, man standing at left",
        "The lids of the jars depicted the heads of a hawk and of a man.",
        "oil on canvas",
    ],
)
def test_what_is_shown_is_no_context(text: str) -> None:
    assert _parts(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Bes was venerated as a protector of the home.",
        "The ancient Egyptians believed that the beetle was the sun god.",
        "Such rings could be given at weddings.",
        "Largely self-taught, Blakelock exhibited the work in 1867 and sold his paintings to a dealer.",
        "For more information on this panel, please see the catalogue.",
    ],
)
def test_history_and_use_are_context(text: str) -> None:
    assert _parts(text) == [text]


def test_of_a_sentence_that_shows_only_the_user_is_context() -> None:
    text = "Buckles worn by both men and women, with a lion (now lost)."
    assert _parts(text) == ["by both men and women"]
    assert [text[start:end] for start, end in shown_spans(text)] == [
        "Buckles worn",
        ", with a lion (now lost).",
    ]


def test_what_is_shown_is_neither_context_nor_boilerplate() -> None:
    text = "A knight on horseback. Presented by the artist 1994. It was made for a duke."
    assert [text[start:end] for start, end in shown_spans(text)] == ["A knight on horseback."]
