"""Loops are compiled when they first run, and not when their module is imported."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from features.compiled import compiled, prefetch


@compiled
def _doubled(number: float) -> float:
    return number * 2.0


@compiled
def _sum_of_doubled(numbers: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    total = 0.0
    for number in numbers:
        total += _doubled(number)
    return total


def test_one_compiled_function_calls_another_that_was_never_called() -> None:
    assert _sum_of_doubled(np.array([1.0, 2.5])) == 7.0


def test_threads_that_call_it_first_at_once_have_the_same_answer() -> None:
    @compiled
    def least(numbers: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        return float(numbers.min())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(least, [np.array([3.0, 1.0, 2.0])] * 8)) == [1.0] * 8


def test_it_is_named_and_described_as_the_function_that_it_compiles() -> None:
    assert (_doubled.__name__, _doubled.__module__) == ("_doubled", __name__)


def test_importing_a_measure_loads_no_compiler() -> None:
    code = (
        "import sys\n"
        "import numpy as np\n"
        "from features.measures.dense import cosines\n"
        "assert 'numba' not in sys.modules\n"
        "vector, squares = np.array([3, 4], np.int8), np.array([25], np.int32)\n"
        "print(cosines(vector[np.newaxis], squares, vector, 25))\n"
        "assert 'numba' in sys.modules\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "[1.]\n"


@compiled
def _sum_read_ahead(numbers: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    total = 0.0
    for n in range(len(numbers)):
        prefetch(numbers, n + 1000)
        total += numbers[n]
    return total


def test_numbers_of_any_kind_may_be_asked_for_ahead_and_beyond_their_end() -> None:
    prefetch(np.array([1.0]), 0)  # outside of a loop it does nothing
    numbers = np.array([3.0, 4.0])
    assert _sum_read_ahead(numbers) == _sum_read_ahead(numbers.astype(np.float32)) == 7.0
    numbers.setflags(write=False)
    assert _sum_read_ahead(numbers) == 7.0
