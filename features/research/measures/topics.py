"""Inference: which topics, fitted before, the words of an item are of."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import numpy as np

from features.arrays import Doubles, Ints, Longs, Singles
from features.compiled import compiled_grouped

STEP = 0.001
"""Inference ends when the counts of topics change by less than this on average, as in gensim."""
_ROWS = 256
"""Bags inferred at a time: their numbers stay in a core's cache."""


def mixtures(topics: Singles, starts: Longs, terms: Ints, counts: Ints, iterations: int) -> Singles:
    """The topic mixtures of bags at unit length, float32[bags, topics]: a product of two is their cosine.

    The terms of bag i are ``terms[starts[i]:starts[i + 1]]``, rows of ``topics``, each as often as
    ``counts`` says; a bag without any has NaN. A bag has the same mixture among others as alone.

    >>> beta = np.array([[0.9, 0.1], [0.5, 0.5]], np.float32)  # the second bag has no term
    >>> mixed = mixtures(beta, np.array([0, 2, 2]), np.array([0, 1]), np.array([2, 1]), 50)
    >>> mixed.astype(float).round(2).tolist()
    [[0.99, 0.17], [nan, nan]]
    """
    mixed = np.full((len(starts) - 1, topics.shape[1]), np.nan, np.float32)
    rows = np.flatnonzero(np.diff(starts))

    def infer(first: int) -> None:
        block = rows[first : first + _ROWS]
        gamma = inferred(topics, starts, block, terms, counts, iterations)
        mixed[block] = gamma / np.sqrt((gamma * gamma).sum(axis=1, keepdims=True))

    blocks = range(0, len(rows), _ROWS)
    # in threads: the other processes that fit features are often done by now
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) if len(blocks) > 1 else nullcontext() as threads:
        list(threads.map(infer, blocks) if threads else map(infer, blocks))
    return mixed


def inferred(
    topics: Singles, starts: Longs, rows: Longs, terms: Ints, counts: Ints, iterations: int
) -> Doubles:
    """The topic counts gamma of some bags, float64[rows, topics]: the variational E step of LDA.

    It is the step of Blei and others 2003 in gensim's form, but from a fixed start, all topics alike.
    gamma adds up to the number of words and topics x alpha, which is 1.
    """
    alpha = 1.0 / topics.shape[1]
    from scipy.special import psi

    ends = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    words = ends[starts[rows + 1]] - ends[starts[rows]]
    gamma = np.repeat((alpha + words * alpha)[:, np.newaxis], topics.shape[1], axis=1)
    going = np.arange(len(rows))
    for _ in range(iterations):
        # the digamma of the sum is the same for all topics, and falls out of the ratio below
        weights = np.exp(psi(gamma[going]))
        changes = _step(topics, starts, rows, terms, counts, weights, going, gamma)
        going = going[changes >= STEP]
        if not len(going):
            break
    return gamma


@compiled_grouped
def _step(
    topics: Singles,
    starts: Longs,
    rows: Longs,
    terms: Ints,
    counts: Ints,
    weights: Doubles,
    going: Longs,
    gamma: Doubles,
) -> Doubles:
    """One step for the bags of ``rows`` that go on, in ``gamma``; by how much it changed, on average."""
    size = topics.shape[1]
    alpha = 1.0 / size
    changes = np.empty(len(going))
    shares = np.empty(size)
    for n in range(len(going)):
        row = rows[going[n]]
        shares[:] = 0.0
        for at in range(starts[row], starts[row + 1]):
            term = terms[at]
            norm = 0.0
            for k in range(size):
                norm += topics[term, k] * weights[n, k]
            share = counts[at] / norm
            for k in range(size):
                shares[k] += share * topics[term, k]
        change = 0.0
        for k in range(size):
            now = alpha + weights[n, k] * shares[k]
            change += abs(now - gamma[going[n], k])
            gamma[going[n], k] = now
        changes[n] = change / size
    return changes
