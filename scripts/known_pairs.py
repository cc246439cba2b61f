"""Writes the digests of known sets of pairs: ``python -m scripts.known_pairs DIR...``.

Every directory is a set whose gold is model-annotated. No pair, record or score can be read from its digests.
"""

import sys
from pathlib import Path

import numpy as np

from evaluation.provenance import KNOWN, pair_digests
from evaluation.typed import read_pairs


def write(directories: list[Path], path: Path = KNOWN) -> None:
    """Write the digests of some sets to a file."""
    sets = {}
    for directory in directories:
        pairs = read_pairs(directory)
        both = pair_digests(pairs.ids), pair_digests(pairs.ids, pairs.known_gold())
        sets[f"{directory.name}-{pairs.digest}"] = np.stack(both, axis=1)
    np.savez(path, allow_pickle=False, **sets)


if __name__ == "__main__":
    write([Path(each) for each in sys.argv[1:]])
