"""Judgements of one's own become pairs with gold: ``kindred pairs import``."""

from pathlib import Path

import numpy as np
import pytest

from evaluation.readers import two_readers
from evaluation.typed import read_pairs
from ingest.catalogue import Catalogue
from ingest.errors import PairsError, UnreadableFile, UsageError
from tests.builders import RECORDS
from tests.evaluation.running import document, run

TABLE = """\
left,right,annotator,time,people,left_title,right_title,left_subject
a:1,a:2,ann,7,NA,View of Bath,Bath Abbey,bath|abbey
a:1,a:2,bob,4,,View of Bath,Bath Abbey,bath|abbey
a:1,a:3,ann,1,1,View of Bath,A dog,bath|abbey
"""


def test_a_table_on_a_scale_of_its_own(config: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "own.csv", tmp_path / "gold"
    file.write_text(TABLE)
    answer = document(run(config, "pairs", "import", file, "--out", out, "--scale", "1-7", "--json"))
    assert (answer["pairs"], answer["annotators"], answer["left_out"]) == (2, 2, 0)
    pairs = read_pairs(out)
    assert pairs.ids == [("a:1", "a:2"), ("a:1", "a:3")]
    assert [value.text for value in pairs.left[0].subject] == ["bath", "abbey"]
    gold = pairs.known_gold()
    # 7 of 1 to 7 is 5 and 4 is 2.5: the mean is 3.75; NA is 0, an empty cell nothing; nobody judged the rest
    assert gold[:, 3].tolist() == [3.75, 0]
    assert gold[:, 2].tolist() == [0, 0]
    assert np.isnan(np.delete(gold, (2, 3), axis=1)).all()
    both = two_readers(out, ("time", "people"))
    assert both is not None
    assert both.tolist() == [[[5.0, 0.0], [2.5, 0.0]]]


def test_json_lines_and_the_records_of_the_collection(config: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "own.jsonl", tmp_path / "gold"
    file.write_text(
        '{"left": "t:1", "right": "t:2", "general": 3}\n{"left": "t:1", "right": "gone", "general": 1}\n'
    )
    with Catalogue(tmp_path / "state" / "catalogue.sqlite") as catalogue:
        catalogue.put_many(RECORDS)
    answer = document(run(config, "pairs", "import", file, "--out", out, "--json"))
    assert (answer["pairs"], answer["left_out"], answer["agreement"]) == (1, 1, {})
    pairs = read_pairs(out)
    assert pairs.ids == [("t:1", "t:2")]
    assert pairs.left[0].title == RECORDS[0].title
    assert pairs.known_gold()[0, 0] == 3


@pytest.mark.parametrize(
    ("text", "scale", "error", "sentence"),
    [
        ("left,right\na,b\n", "0-5", PairsError, "no column of scores"),
        ("left,right,time\na,a,1\n", "0-5", PairsError, "line 2: the columns left and right"),
        ("left,right,time\na,b,6\n", "0-5", PairsError, "line 2: time: 6 is not between 0 and 5"),
        ("left,right,time\na,b,much\n", "0-5", PairsError, "'much' is no number, nor NA"),
        ("left,right,time\na,b,1\na,b,2\n", "0-5", PairsError, "line 3: 1 has judged a and b before"),
        (
            "left,right,time,left_title\na,b,1,x\na,c,2,y\n",
            "0-5",
            PairsError,
            "line 3: a is described otherwise",
        ),
        ("left,right,time\na,b,1\n", "0-5", PairsError, "two records that are known"),
        ("left,right,time\na,b,1\n", "7-1", UsageError, "lowest and highest"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_written(
    config: Path, tmp_path: Path, text: str, scale: str, error: type[Exception], sentence: str
) -> None:
    file, out = tmp_path / "own.csv", tmp_path / "gold"
    file.write_text(text)
    result = run(config, "pairs", "import", file, "--out", out, "--scale", scale)
    assert isinstance(result.exception, error)
    assert sentence in str(result.exception)
    assert not out.exists()


def test_a_file_that_is_not_there(config: Path, tmp_path: Path) -> None:
    result = run(config, "pairs", "import", tmp_path / "gone.csv", "--out", tmp_path / "gold")
    assert isinstance(result.exception, UnreadableFile)
