"""WordNet in miniature, in its own format, and the real one where it is installed."""

from pathlib import Path

import pytest

from features.knowledge.wordnet.reader import WordNet, open_wordnet
from ingest.errors import ResourceMissing

MINIATURE = Path(__file__).parents[1] / "data" / "wordnet"


@pytest.fixture(scope="session")
def mini() -> WordNet:
    return open_wordnet(MINIATURE)


@pytest.fixture(scope="session")
def real() -> WordNet:
    try:
        return open_wordnet(None)
    except ResourceMissing as error:
        pytest.skip(error.detail)
