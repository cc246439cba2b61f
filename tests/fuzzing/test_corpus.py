"""Every input that fuzzing has kept ends in an answer or in an error of ours."""

import pytest

from tests.fuzzing import corpus
from tests.fuzzing.readers import READERS


@pytest.mark.parametrize("reader", READERS)
def test_every_kept_input_is_read(reader: str) -> None:
    data = corpus.inputs(reader)
    assert data, "python -m tests.fuzzing has kept no input of this reader"
    for each in data:
        READERS[reader](each)
