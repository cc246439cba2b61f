"""Training with feedback: mean r before and after in the same folds, and no worse weights unasked."""

from pathlib import Path

import pytest

from ingest.catalogue import Catalogue
from ingest.errors import UsageError
from models.types import OFFICIAL
from service.operations.feedback import Feedback, Verdict
from tests.builders import record
from tests.evaluation.running import DATA, document, run

pytestmark = pytest.mark.usefixtures("analysed")

FEW = "evaluation: {folds: 2}\n"


@pytest.fixture
def judged(config: Path, tmp_path: Path) -> Path:
    """A configuration over a collection of which some pairs were judged."""
    config.write_text(config.read_text() + FEW)
    state = tmp_path / "state"
    alike = [record(f"new:{n}", "Bridge over the river at Copley" if n % 2 else "Ship") for n in range(8)]
    with Catalogue(state / "catalogue.sqlite") as catalogue:
        catalogue.put_many(alike)
    return config


def say(state: Path, *, fits: bool) -> None:
    with Feedback(state / "feedback.sqlite") as feedback:
        for n in range(6):
            # items of one title fit, others do not; or, where curators are wrong, the other way round
            for other in range(n + 1, 8):
                same = n % 2 == other % 2
                for kind in OFFICIAL:
                    feedback.say(
                        (f"new:{n}", f"new:{other}"),
                        kind,
                        Verdict(fits=same == fits),
                        by="ann",
                        system="plain",
                        scores={},
                    )


def test_without_feedback_there_is_nothing_to_train_with(judged: Path) -> None:
    ended = run(judged, "train", "--pairs", DATA, "--with-feedback")
    assert isinstance(ended.exception, UsageError)
    assert "nobody has given feedback yet" in str(ended.exception)


def test_what_it_does_is_told_and_what_is_worse_is_not_kept(judged: Path, tmp_path: Path) -> None:
    state, weights = tmp_path / "state", tmp_path / "state" / "weights" / "plain.json"
    say(state, fits=False)
    ended = run(judged, "train", "--pairs", DATA, "--with-feedback")
    assert isinstance(ended.exception, UsageError)
    assert "no weights are kept" in str(ended.exception)
    assert not weights.exists()
    answer = document(run(judged, "train", "--pairs", DATA, "--with-feedback", "--anyway", "--json"))
    effect = answer["feedback"]
    assert isinstance(effect, dict)
    assert effect["after"] < effect["before"]
    assert effect["judged"] == 27  # 7 + 6 + 5 + 4 + 3 + 2
    assert answer["pairs"] == 33
    assert "feedback (27 pairs" in str(answer["trained_on"])
    assert weights.exists()


def test_before_is_what_training_without_it_gives(judged: Path, tmp_path: Path) -> None:
    say(tmp_path / "state", fits=True)
    answer = document(run(judged, "train", "--pairs", DATA, "--with-feedback", "--anyway", "--json"))
    say(tmp_path / "state", fits=False)
    other = document(run(judged, "train", "--pairs", DATA, "--with-feedback", "--anyway", "--json"))
    one, two = answer["feedback"], other["feedback"]
    assert isinstance(one, dict)
    assert isinstance(two, dict)
    assert one["before"] == two["before"]
    assert one["after"] > two["after"]
