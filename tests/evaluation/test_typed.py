"""The official layout: what is read, and every way in which files do not fit together."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from evaluation.typed import read_pairs, read_scores, write_scores
from ingest.errors import InputError, PairsError, UsageError
from ingest.typed_files import GOLD, INPUT

DATA = Path(__file__).parents[1] / "data" / "typed"
FIRST = "1a_north_b1.txt"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return shutil.copytree(DATA, tmp_path / "pairs-copy")


def test_pairs_are_read_in_order() -> None:
    pairs = read_pairs(DATA)
    assert pairs.ids[1] == ("north:b1", "mus:k/23")
    assert pairs.left[1].label == "The Mill at Harrow Bridge"
    assert [value.text for value in pairs.right[1].subject] == ["mill", "model"]
    assert pairs.known_gold()[0].tolist() == [3.6, 5, 1, 4.2, 5, 1, 4, 3.4]
    assert len(pairs) == 6
    assert len(pairs.records) == 9  # twelve sides; b1, b2 and port:7 stand in two pairs each


def test_pairs_without_gold_can_be_scored_but_not_evaluated(copy: Path) -> None:
    (copy / GOLD).unlink()
    pairs = read_pairs(copy)
    assert pairs.gold is None
    with pytest.raises(PairsError, match=GOLD):
        pairs.known_gold()


def test_the_digest_tells_other_pairs_and_other_gold(copy: Path) -> None:
    before = read_pairs(copy).digest
    assert before == read_pairs(DATA).digest
    _edit(copy / GOLD, 2, "1\t1\t1\t1\t1\t1\t1\t1")
    assert read_pairs(copy).digest != before


def _edit(path: Path, number: int, line: str | None) -> None:
    lines = path.read_text().splitlines()
    lines[number - 1 : number] = [] if line is None else [line]
    path.write_text("\n".join(lines) + "\n")


def _remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _line(name: str, number: int, line: str | None) -> Callable[[Path], None]:
    return lambda folder: _edit(folder / name, number, line)


def _write(name: str, data: bytes) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        (folder / name).write_bytes(data)

    return spoil


MISFITS = {
    "seven columns": (_line(GOLD, 3, "1\t1\t1\t1\t1\t1\t1"), f"{GOLD}, line 3: 7 columns"),
    "nine columns": (_line(GOLD, 1, "1\t" * 8 + "1"), f"{GOLD}, line 1: 9 columns"),
    "a blank line": (_line(GOLD, 2, ""), f"{GOLD}, line 2: 0 columns"),
    "no number": (
        _line(GOLD, 4, "1\t1\t1\t-\t1\t1\t1\t1"),
        f"{GOLD}, line 4: time: '-' is not a number, nor NA",
    ),
    "above five": (_line(GOLD, 6, "1\t1\t1\t1\t1\t1\t1\t5.01"), f"{GOLD}, line 6: description: 5.01"),
    "below zero": (_line(GOLD, 1, "-0.1\t1\t1\t1\t1\t1\t1\t1"), f"{GOLD}, line 1: general: -0.1"),
    "not finite": (_line(GOLD, 1, "nan\t1\t1\t1\t1\t1\t1\t1"), f"{GOLD}, line 1: general: nan"),
    "gold cut short": (_line(GOLD, 6, None), f"{GOLD} has 5 lines, {INPUT} 6"),
    "gold not UTF-8": (_write(GOLD, b"1\t\xff"), f"{GOLD} is not UTF-8"),
    "no input": (_remove(INPUT), f"no {INPUT}"),
    "one id": (_line(INPUT, 2, "urn:record:north:b1"), f"{INPUT}, line 2: two record ids"),
    "input cut short": (_line(INPUT, 6, None), "6a_mus_k-22.txt: pair 6 is not in"),
    "a pair without texts": (
        _line(INPUT, 7, "urn:record:x:1\turn:record:x:2"),
        f"{INPUT}, line 7: no text of x:1; it is due as text/7a_",
    ),
    "text missing": (_remove(f"pairs/text/{FIRST}"), f"{INPUT}, line 1: no text of north:b1"),
    "text empty": (_write("pairs/text/5b_port_9.txt", b""), "5b_port_9.txt: no text in any"),
    "unknown key": (
        _write("pairs/text/5b_port_9.txt", b"dcRights:\tnone\n"),
        "5b_port_9.txt, line 1: unknown key",
    ),
    "text not UTF-8": (_write(f"pairs/text/{FIRST}", b"dcTitle:\t\xff\n"), f"{FIRST}, line 1: not UTF-8"),
    "two texts of one record": (
        _write("pairs/text/2a_north_b1.txt", b"dcTitle:\tother\n"),
        "2a_north_b1.txt: describes north:b1 otherwise",
    ),
}


@pytest.mark.parametrize(("spoil", "message"), MISFITS.values(), ids=MISFITS.keys())
def test_a_misfit_names_file_and_line(copy: Path, spoil: Callable[[Path], object], message: str) -> None:
    spoil(copy)
    with pytest.raises(PairsError) as refused:
        read_pairs(copy)
    assert message in refused.value.detail


def test_a_directory_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no directory"):
        read_pairs(tmp_path / "nowhere")
    with pytest.raises(PairsError, match="cannot be read"):
        read_scores(tmp_path / "nowhere.txt")


def test_scores_come_back_as_written(tmp_path: Path) -> None:
    scores = np.round(np.random.default_rng(1).uniform(0, 5, (40, 8)), 4)
    write_scores(tmp_path / "scores.txt", scores)
    assert np.array_equal(read_scores(tmp_path / "scores.txt"), scores)
    assert [path.name for path in tmp_path.iterdir()] == ["scores.txt"]


def test_scores_that_cannot_be_written_leave_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(UsageError, match="name another file"):
        write_scores(tmp_path / "taken", np.zeros((1, 8)))
    with pytest.raises(UsageError, match="name another file"):
        write_scores(tmp_path / "no" / "folder.txt", np.zeros((1, 8)))
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
