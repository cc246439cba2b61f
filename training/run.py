"""One run from the corpora to a folder of models, for `python -m training models`."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from training import card
from training.augment import names_of
from training.corpora import Labelled, read_records
from training.entities import EntitySettings, blend, train_entities, uner, web_sentences
from training.lemmatizer import train_lemmatizer
from training.museum import DEV_SHARE, Value, read_labels, sentences, split
from training.shrink import shrink
from training.sources import Texts, TrainingSources
from training.tagger import train_tagger
from training.vectors import train_vectors

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """Sizes and lengths of a run; the defaults made the models that come with Kindred."""

    dimensions: int = 100
    vocabulary: int = 60_000
    vector_epochs: int = 4
    tagger_steps: int = 2000
    lemmatizer_epochs: int = 8
    entities: EntitySettings = field(default_factory=EntitySettings)
    seed: int = 1


def train_all(
    sources: TrainingSources,
    out: Path,
    texts: Texts,
    *,
    test: Path | None = None,
    settings: Settings | None = None,
    work: Path | None = None,
    say: Say = lambda _: None,
) -> dict[str, float]:
    """Train every component, write the models with manifest and card, and give the scores on the test parts.

    With a `work` folder, components whose files are there from an earlier run are not trained again. `test`
    is a file of labels like the training one; without it the museum test is left out.
    """
    settings = settings or Settings()
    folder = work or Path(tempfile.mkdtemp(prefix="kindred-training-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        built = _components(sources, texts, folder, settings, say)
        out.mkdir(parents=True, exist_ok=True)
        for path in built:
            shrink(path, out / path.name)
        (out / "resources.json").write_text("{}\n", encoding="utf-8")
        return score(sources, out, read_labels(test, texts) if test else [], settings, say)
    finally:
        if work is None:
            shutil.rmtree(folder)


def score(
    sources: TrainingSources, out: Path, museum: list[Value], settings: Settings, say: Say = lambda _: None
) -> dict[str, float]:
    """Score the models in a folder, as they will be used, and write the scores beside them."""
    from features.text.language import Language, read_manifest
    from training.accuracy import measure, speed

    card.write_manifest(out, {})
    say("scoring on the test parts")
    language = Language(out)
    accuracy = measure(language, sources, museum)
    rate = speed(language, sources)
    card.write_manifest(out, accuracy)
    facts = {
        "stanza": read_manifest(out).stanza,
        "dimensions": str(settings.dimensions),
        "vocabulary": f"{settings.vocabulary:,}",
        "hidden": str(settings.entities.hidden),
        "speed": f"{rate:.0f} captions of some 34 words a second of one core's time",
        "dev_share": str(DEV_SHARE),
    }
    card.write_card(out, accuracy, facts)
    return accuracy


def _components(
    sources: TrainingSources, texts: Texts, work: Path, settings: Settings, say: Say
) -> list[Path]:
    def step(name: str, train: Callable[[], Path]) -> Path:
        path = work / f"{name}.pt"
        if not path.exists():
            say(f"training {name}")
            train()
        return path

    vectors = step(
        "vectors",
        lambda: train_vectors(
            sources,
            work,
            dimensions=settings.dimensions,
            words=settings.vocabulary,
            epochs=settings.vector_epochs,
            seed=settings.seed,
        ),
    )
    return [
        vectors,
        step(
            "tagger",
            lambda: train_tagger(sources, vectors, work, steps=settings.tagger_steps, seed=settings.seed),
        ),
        step(
            "lemmatizer",
            lambda: train_lemmatizer(sources, work, epochs=settings.lemmatizer_epochs, seed=settings.seed),
        ),
        step("entities", lambda: _train_entities(sources, texts, vectors, work, settings)),
    ]


def _train_entities(
    sources: TrainingSources, texts: Texts, vectors: Path, work: Path, settings: Settings
) -> Path:
    train, dev = split(read_labels(sources.labels / "train.tsv", texts))
    museum: list[Labelled] = list(sentences(train))
    web = web_sentences(sources)
    names = names_of(list(read_records(sources)))
    return train_entities(
        blend(web, museum, names, settings.entities),
        web + museum,
        {"uner": uner(sources, "dev"), "museum": list(sentences(dev))},
        vectors,
        work,
        settings.entities,
    )
