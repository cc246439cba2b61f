"""What a service loads before it says that it is ready, so that nobody waits for it with a question."""

import logging
from threading import Lock, Thread
from typing import Final

from ingest.errors import KindredError, WarmingUp
from ingest.record import Record, values
from service.search.fulltext.finding import WordQuery
from service.search.queries import Search, WeightedSeed
from service.search.recommender import Recommender
from service.web.api.dependencies import RecommenderSource

_LOG: Final = logging.getLogger("kindred")
_GIVEN: Final = Record(
    id="", title=values("A view of Venice"), creator=values("Canaletto"), date=values("about 1740")
)


class WarmUp:
    """Searches, analyses and scores once, in a thread of its own, while what is asked is answered.

    The first analysis loads the language models, which takes seconds, and the first score the features. Where
    no collection is open yet it begins again when readiness is next asked for. What cannot be loaded does not
    keep a service from being ready: it answers all that needs none of it.
    """

    def __init__(self, source: RecommenderSource) -> None:
        self._source = source
        self._lock = Lock()
        self._thread: Thread | None = None
        self._done = False

    def start(self) -> None:
        """Begin, unless it is done or under way."""
        with self._lock:
            if not self._done and (self._thread is None or not self._thread.is_alive()):
                # a service that is told to stop does not wait for it
                self._thread = Thread(target=self._load, name="warm-up", daemon=True)
                self._thread.start()

    def check(self) -> None:
        """Raises ``WarmingUp`` until it is done."""
        if not self._done:
            self.start()
            raise WarmingUp(
                "the language models are being loaded; everything but the records that a request gives is"
                " answered already"
            )

    def _load(self) -> None:
        try:
            _ask(self._source())
        except KindredError as error:
            if error.passing:
                return
            _LOG.warning("records that a request gives cannot be analysed: %s", error.detail)
        except Exception:
            # a fault of ours: whoever asks is told, and the rest is answered
            _LOG.exception("internal: the first search or score failed")
        self._done = True


def _ask(now: Recommender) -> None:
    for item in now.index.find(WordQuery(limit=1)).records:  # none where all were deleted
        for kind in (None, next(iter(now.system.types))):  # of all types, and of one, which is another pass
            now.search(Search(seeds=(WeightedSeed(item.id),), type=kind, limit=1))
        now.score(_GIVEN, item.id)
