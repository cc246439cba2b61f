"""Four words in two dimensions: what measures over word vectors make of them can be worked out by hand."""

import numpy as np

from features.research.word_vectors import WordVectors

TOY = WordVectors(
    {"sea": 0, "ocean": 1, "horse": 2, "against": 3},
    np.array([[2.0, 0.0], [3.0, 4.0], [0.0, 1.0], [-1.0, 0.0]], np.float32),
    b"toy",
)
"""Cosines: sea-ocean .6, ocean-horse .8, sea-horse 0, sea-against -1."""
