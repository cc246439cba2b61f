"""Loops over the parts of a collection."""

import numpy as np
import pytest

from features.measures.parts import RowPart, over_parts


@pytest.mark.parametrize("rows", [0, 1, 100, 131_072, 131_073, 700_001])
def test_every_row_is_in_one_part(rows: int) -> None:
    seen = np.zeros(rows, np.int8)

    def count(part: RowPart) -> None:
        seen[part.rows] += 1
        assert len(part) == part.rows.stop - part.rows.start

    over_parts(count, slice(0, rows))
    assert (seen == 1).all()


def test_what_fails_in_a_part_is_raised() -> None:
    def fail(part: RowPart) -> None:
        if part.rows.stop == 400_000:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        over_parts(fail, slice(0, 400_000))
