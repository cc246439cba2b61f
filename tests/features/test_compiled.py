"""Loops over the rows of a collection, in parts at once."""

import numpy as np
import pytest

from features.compiled import over_rows


@pytest.mark.parametrize("rows", [0, 1, 100, 32767, 32768, 100_001])
def test_every_row_is_in_one_part(rows: int) -> None:
    seen = np.zeros(rows, np.int8)

    def count(part: slice) -> None:
        seen[part] += 1

    over_rows(count, rows)
    assert (seen == 1).all()


def test_what_fails_in_a_part_is_raised() -> None:
    def fail(part: slice) -> None:
        if part.stop == 100_000:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        over_rows(fail, 100_000)
