"""Keeps Stanza's trainers from printing, and makes their runs repeatable."""

import logging
import random
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path


@contextmanager
def repeatable(log: Path, seed: int) -> Iterator[None]:
    """Run a trainer with one thread and one seed, its chatter in a file of its own.

    Sums of floats depend on how many threads share them: with more than one, two runs give two models.
    """
    import numpy
    import stanza.models._training_logging  # noqa: F401 (sets Stanza's level, which the next lines undo)
    import torch

    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True, warn_only=True)
    logger = logging.getLogger("stanza")
    handler = logging.FileHandler(log, mode="a", encoding="utf-8")
    before = (logger.handlers[:], logger.level, logger.propagate)
    logger.handlers, logger.propagate = [handler], False
    logger.setLevel(logging.INFO)
    try:
        with redirect_stdout(StringIO()):
            yield
    finally:
        handler.close()
        logger.handlers, logger.propagate = before[0], before[2]
        logger.setLevel(before[1])
