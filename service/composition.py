"""Puts the floors together: settings to a language, a system, a recommender, for the CLI and the service."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from features.profiles.profile import Profile
from ingest.errors import UsageError
from ingest.record import Record
from service.operations.writing import Sender, Writer
from service.search.engines.engine import ProfileMaker, Provider, chosen, whole_engines
from service.search.recommender import Recommender
from service.settings import Settings

if TYPE_CHECKING:
    from features.profiles.sentence_texts import SentenceVectors
    from features.text.language import Language


class Analyser:
    """Makes profiles of records that the collection lacks; loads the language when first asked."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = Lock()
        self._models: tuple[Language, SentenceVectors | None] | None = None

    def __call__(self, records: Sequence[Record]) -> list[Profile]:
        """The profiles of some records; the first call takes the seconds that the models need to load."""
        from features.profiles.analysis import analyse
        from features.profiles.sentence_texts import open_vectors

        with self._lock:
            if self._models is None:
                self._models = open_language(self._settings), open_vectors(self._settings.sentences.encoder)
            models = self._models
        return analyse(records, *models)


def open_provider(
    settings: Settings,
    system: str | None = None,
    watched: Callable[[str, int], None] | None = None,
    opened: Callable[[], None] | None = None,
) -> Provider:
    """What gives the recommender for each question; no collection is opened before it is first called."""
    return chosen(settings).provider(settings, Analyser(settings), system, watched=watched, opened=opened)


def open_recommender(settings: Settings, system: str | None = None) -> Recommender:
    """The recommender that answers at this moment; raises what the provider of the engine raises."""
    return open_provider(settings, system)()


def open_built(settings: Settings, system: str | None = None) -> Recommender:
    """The same without live changes; raises ``UsageError`` where the items are not all in this process."""
    check_whole(settings)
    return chosen(settings).provider(settings, Analyser(settings), system, live=False)()


def check_whole(settings: Settings) -> None:
    """Raise ``UsageError`` where the items are not all in this process."""
    if not chosen(settings).whole:
        kinds = " or ".join(whole_engines())
        raise UsageError(f"this looks at every item, which needs index.kind: {kinds}")


def open_writer(settings: Settings, analyse: ProfileMaker) -> Writer:
    """What changes are written with: to the catalogue, and to the engine where that has to be told."""
    return Writer(settings, analyse, open_sender(settings, analyse))


def open_sender(settings: Settings, analyse: ProfileMaker) -> Sender | None:
    """What sends live changes to the engine; None where it reads them from the catalogue itself."""
    return chosen(settings).sender(settings, analyse)


def open_language(settings: Settings) -> "Language":
    """The language models that the settings name; raises ``LanguageModelError``."""
    from features.text.language import Language

    return Language(settings.models.language)
