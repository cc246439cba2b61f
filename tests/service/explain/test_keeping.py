"""What a record says of its keeping."""

import pytest

from features.profiles.profile import Occurrence
from features.text.boilerplate import Spans, boilerplate_spans
from service.explain import keeping
from tests.builders import record


def test_a_long_description_is_read_once_for_all_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(text: str) -> Spans:
        read.append(text)
        return boilerplate_spans(text)

    monkeypatch.setattr(keeping, "boilerplate_spans", counted)
    # 41,000 characters, and a credit line behind them
    text = "A boat lies off the harbour of a quiet town. " * 900 + "Presented by the artist 1994"
    long = record("a", "Boats", description=text)
    places = [at for at in range(len(text)) if text.startswith(("boat", "artist"), at)]
    words = [Occurrence("boat", "description", 0, at, at + 4) for at in places]
    assert [keeping.is_of_keeping(long, one) for one in words] == [False] * 900 + [True]
    assert read == [text]
