"""Layers of the Cube trained anew on our texts: three kinds of clusters, and vectors.

The thesis (4.3.1) has clusters of word2vec, Brown clusters, compared by the first 17 steps of their paths,
Clark clusters, and the vectors of Collobert and Weston. These can't be had. Counterparts come with the
project, of the texts that its word vectors are of: k-means over these vectors; Brown clusters; classes of the
exchange algorithm without Clark's prior of spellings; and CBOW vectors, from windows of four words to each
side. ``python -m training layers`` makes them.
"""

import gzip
import hashlib
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Doubles, Int8s, Singles
from features.research.word_vectors import WordVectors
from features.text import model_files
from features.text.model_files import ModelManifest
from ingest.errors import DamagedArtefact

SHIPPED: Final = Path(__file__).parent / "weights"
"""The layers that come with Kindred."""

PREFIX: Final = 17
"""Steps of a Brown path that words of one cluster share, as in the thesis."""

_CLUSTERS: Final = "clusters.tsv.gz"
_CBOW: Final = "cbow.npz"
_COLUMNS: Final = "word\tbrown\tclark\tvectors"
_REMEDY: Final = (
    "reinstall Kindred, or, in a checkout, train it again: python -m training layers --shared DIR --out DIR"
)


class LayersManifest(ModelManifest):
    """How many words there are, of what texts, how each layer was trained, and the digests of the files."""

    words: int
    tokens: int
    dimensions: int
    texts: str
    brown: str
    clark: str
    vectors: str
    cbow: str
    clusters_sha256: str = ""
    cbow_sha256: str = ""


class WordClusters(NamedTuple):
    """A word with its Brown path, its Clark class, and its cluster of k-means, -1 where it has no vector."""

    word: str
    path: str
    label: int
    near: int


class WordLayers(NamedTuple):
    """The clusters of each word by layer, and vectors of the same words."""

    brown: Mapping[str, str]
    clark: Mapping[str, int]
    vectors: Mapping[str, int]
    cbow: WordVectors


class ClusterSimilarity:
    """Whether two words are of one cluster; a word without a cluster is alone in its own."""

    def __init__(self, clusters: Mapping[str, str] | Mapping[str, int]) -> None:
        self._clusters = clusters

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The similarities of all words with all others, float64[words, others].

        >>> toy = ClusterSimilarity({"sea": 7, "ocean": 7, "tax": 0})
        >>> toy.of(["sea", "unheard"], ["ocean", "tax", "unheard"]).tolist()
        [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
        """
        numbers: dict[tuple[bool, str | int], int] = {}
        clusters = self._clusters
        left, right = (
            np.array(
                [
                    numbers.setdefault((word in clusters, clusters.get(word, word)), len(numbers))
                    for word in some
                ],
                np.int64,
            )
            for some in (words, others)
        )
        values: Doubles = (left[:, np.newaxis] == right).astype(np.float64)
        return values


def brown_clusters(paths: Mapping[str, str], prefix: int = PREFIX) -> dict[str, str]:
    """The clusters of Brown paths: words whose paths begin with the same steps are of one.

    >>> brown_clusters({"sea": "0010", "ocean": "0011", "tax": "01"}, 3)
    {'sea': '001', 'ocean': '001', 'tax': '01'}
    """
    return {word: path[:prefix] for word, path in paths.items()}


@cache
def word_layers(directory: Path = SHIPPED) -> WordLayers:
    """The layers that come with Kindred, read once a process; raises ``DamagedArtefact``."""
    manifest = model_files.read_manifest(directory, LayersManifest, _REMEDY)
    packed = model_files.read_checked(directory, _CLUSTERS, manifest.clusters_sha256, _REMEDY)
    try:
        first, *lines = gzip.decompress(packed).decode().split("\n")
        cells = (line.split("\t") for line in lines)
        rows = [WordClusters(word, path, int(label), int(near)) for word, path, label, near in cells]
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise DamagedArtefact(f"{directory / _CLUSTERS} cannot be read ({error}); {_REMEDY}") from error
    words, vectors, scales = model_files.read_arrays(
        directory, _CBOW, manifest.cbow_sha256, _REMEDY, "words", "vectors", "scales"
    )
    named = words.tobytes().decode(errors="replace").split("\n")
    size, shape = manifest.words, (manifest.words, manifest.dimensions)
    if first != _COLUMNS or {len(rows), len(named), len(scales)} != {size} or vectors.shape != shape:
        raise DamagedArtefact(f"{directory} does not hold {size} words of each layer; {_REMEDY}")
    return WordLayers(
        brown_clusters({row.word: row.path for row in rows}),
        {row.word: row.label for row in rows},
        {row.word: row.near for row in rows if row.near >= 0},
        WordVectors(
            {word: row for row, word in enumerate(named)},
            vectors.astype(np.float32) * scales.astype(np.float32)[:, np.newaxis],
            bytes.fromhex(manifest.cbow_sha256),
        ),
    )


def save(
    directory: Path,
    manifest: LayersManifest,
    rows: Sequence[WordClusters],
    vectors: Int8s,
    scales: Singles,
) -> int:
    """Write layers, and give the bytes written: the clusters of each word, and its vector.

    The digests of the manifest are filled in.
    """
    lines = [_COLUMNS, *("\t".join(map(str, row)) for row in rows)]
    clusters = gzip.compress("\n".join(lines).encode(), 9, mtime=0)
    words = np.frombuffer("\n".join(row.word for row in rows).encode(), np.uint8)
    data, digest = model_files.packed(words=words, vectors=vectors, scales=scales)
    digests = {"clusters_sha256": hashlib.sha256(clusters).hexdigest(), "cbow_sha256": digest}
    files = {_CLUSTERS: clusters, _CBOW: data}
    return model_files.write_model(directory, files, manifest.model_copy(update=digests))
