"""The numpy arrays by the kind of their numbers, named once for all packages."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]  # of any kind
Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Int8s = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]  # hashes of 64 bits
Rows = npt.NDArray[np.intp]  # numbers of rows, as numpy indexes by them: intp
Integers = npt.NDArray[np.integer]  # integers of any width
Halves = npt.NDArray[np.float16]
Singles = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.floating]  # floating-point numbers of any width
Arrays: TypeAlias = Mapping[str, Array]  # arrays by their names, as they are stored
NewArrays: TypeAlias = dict[str, Array]  # the same while they are gathered
