"""The numpy arrays by the kind of their numbers, named once for all packages."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]
"""Of any kind."""
Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Int8s = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
"""Hashes of 64 bits."""
Rows = npt.NDArray[np.intp]
"""Numbers of rows, as numpy indexes by them: intp."""
Integers = npt.NDArray[np.integer]
"""Integers of any width."""
Halves = npt.NDArray[np.float16]
Singles = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.floating]
"""Floating-point numbers of any width."""
Arrays: TypeAlias = Mapping[str, Array]
"""Arrays by their names, as they are stored."""
NewArrays: TypeAlias = dict[str, Array]
"""The same while they are gathered."""
