"""A task for annotators: six pairs of small records, judged on the pages of a real server on loopback."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from evaluation.gold.pages import AnnotationTask, add_pages
from evaluation.typed import Pairs, read_pairs
from ingest.errors import CollectionMissing
from ingest.record import Record, values
from ingest.typed_files import ScoredPair, write_pairs
from models.types import OFFICIAL
from service.operations.annotations import Annotations
from service.operations.keys import Keys, Role
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from tests.service.conftest import Reply, Server, running

TITLES: Final = (
    "Bath Abbey",
    "View of Bath",
    "A dog",
    "Two dogs",
    "A wedding",
    "The bride",
    "A coin",
    "Seal",
)
IDS: Final = [("a:1", "a:2"), ("a:3", "a:4"), ("a:5", "a:6"), ("a:7", "a:8"), ("a:1", "a:3"), ("a:5", "a:7")]
FORM: Final = "application/x-www-form-urlencoded"
EVERY: Final = 3


def written(folder: Path, ids: Sequence[tuple[str, str]] = IDS, score: float | None = None) -> Path:
    """A folder of pairs without gold, as they are drawn, or with one score in all types."""
    records = {f"a:{n}": Record(id=f"a:{n}", title=values(title)) for n, title in enumerate(TITLES, 1)}
    scores = () if score is None else (score,) * len(OFFICIAL)
    write_pairs(folder, [ScoredPair(pair, scores) for pair in ids], records)
    return folder


def task(
    settings: Settings, folder: Path, controls: Pairs | None = None, pictures: Mapping[str, str] | None = None
) -> AnnotationTask:
    """The task of a folder of pairs."""
    pairs, store = read_pairs(folder, settings.types), Annotations(settings.state.annotations)
    return AnnotationTask.of(pairs, controls, EVERY, settings.types, store, pictures or {})


def _nothing_built() -> Recommender:
    raise CollectionMissing("nothing is built")


@contextmanager
def annotating(settings: Settings, given: AnnotationTask) -> Iterator[Server]:
    """The portal with the pages of a task; no collection is needed to judge."""
    app = create_app(_nothing_built, settings)
    add_pages(app, given)
    with running(app) as server:
        yield server


def key(settings: Settings, name: str, role: Role = Role.CURATOR) -> str:
    """A key of an annotator's own."""
    return Keys(settings.state.keys).add(name, role)[1]


def judge(server: Server, number: int, scores: Mapping[str, str]) -> Reply:
    """Send the form of a question."""
    body = urlencode(scores).encode()
    return server.ask(f"/edit/pairs/{number}", "POST", body, {"Content-Type": FORM})


def everything(score: str, **other: str) -> dict[str, str]:
    """The same answer on all eight scales, but for some."""
    return {**dict.fromkeys(OFFICIAL, score), **other}
