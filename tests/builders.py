"""Records and profiles made by hand: no language model is needed for them.

The toy language splits words. What ends in -ing is a verb, anything else a noun; what stands in
``PEOPLE`` and ``PLACES`` is an entity. Names of creators and years are read by the real rules.
"""

import multiprocessing
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from msgspec.structs import replace
from pydantic import TypeAdapter

from features.collection import build
from features.collection.build import AnalysedItem, in_memory
from features.collection.collection import Built
from features.knowledge.resources import Resources, ResourceSettings
from features.measures.registry import FeatureSettings
from features.profiles.analysis import analyse
from features.profiles.blocks import Block
from features.profiles.profile import AnalysedValue, Profile, encode
from features.text.annotation import Analysis, Mention, Word
from features.text.dates.years import Period
from features.text.language import Language
from ingest.record import Record, values
from models.explanation import ScoreExplanation, explain
from models.regressors.linear import OneSettings, Weighted
from models.systems import System, untrained
from models.types import OFFICIAL, SimilarityType
from tests.documents import defaults
from tests.environment import PATIENCE

TYPES = defaults().types
"""The types as config.yaml has them."""

NONE = Resources(ResourceSettings(), Path("/nowhere"))
"""No resource at all."""

PEOPLE = ("Ada Reed", "Tom Hall", "Reed")
PLACES = ("Venice", "Harrow", "Bath")


class ToyLanguage(Language):
    """A language that needs no models."""

    def __init__(self) -> None:
        pass

    def analyse(self, texts: Sequence[str]) -> list[Analysis]:
        return [Analysis(words(text), tuple(_mentions(text))) for text in texts]


def words(text: str) -> tuple[Word, ...]:
    """The words of a text; lemmas are lower case without a final s."""
    return tuple(
        Word(match.start(), match.end(), match[0], match[0].lower().removesuffix("s"), _tag(match[0]))
        for match in re.finditer(r"\w+|[^\w\s]", text)
    )


def value(
    part: str,
    text: str,
    index: int = 0,
    mentions: tuple[Mention, ...] = (),
    periods: tuple[Period, ...] = (),
) -> AnalysedValue:
    """One analysed value, with nothing in it that is not said."""
    return AnalysedValue(part, index, words(text), mentions, periods)


def text_profile(text: str, part: str = "title") -> Profile:
    """A profile of one value."""
    return Profile((value(part, text),))


def bag_profile(bag: Iterable[str]) -> Profile:
    """A profile whose title holds these words, in this order."""
    return text_profile(" ".join(bag))


def record(id_: str, /, title: str = "", **fields: str) -> Record:
    """A record; several values of a field are parted by a bar."""
    given = {name: values(*text.split("|")) for name, text in fields.items() if text}
    return replace(Record(id=id_, title=values(title) if title else ()), **given)


def profile(of: Record) -> Profile:
    """The profile that the toy language makes of a record."""
    return analyse([of], ToyLanguage())[0]


def profiles(records: Sequence[Record]) -> list[Profile]:
    """The profiles of some records."""
    return analyse(records, ToyLanguage())


def items(records: Iterable[Record]) -> list[AnalysedItem]:
    """What a build takes, in id order."""
    return [AnalysedItem(one, encode(profile(one))) for one in sorted(records, key=lambda one: one.id)]


def features(**rows: Mapping[str, object]) -> dict[str, FeatureSettings]:
    """Features as config.yaml declares them."""
    adapter: TypeAdapter[FeatureSettings] = TypeAdapter(FeatureSettings)
    return {name: adapter.validate_python(row) for name, row in rows.items()}


FEATURES = features(
    all={"measure": "tfidf"},
    creator={"measure": "tfidf", "scope": {"parts": ["creator"], "names": True}},
    person={"measure": "tfidf", "scope": {"entities": ["person"]}},
    date={"measure": "tfidf", "scope": {"entities": ["date"]}},
    location={"measure": "tfidf", "scope": {"parts": ["title", "places"], "entities": ["location"]}},
    verb={"measure": "tfidf", "scope": {"tags": ["VERB"]}},
    subject={"measure": "tfidf", "scope": {"parts": ["subject"], "form": "lemma"}},
    description={"measure": "tfidf", "scope": {"parts": ["description"]}},
    years={"measure": "years", "reading": "covered"},
)
"""The features of the official baseline on the toy language, and the years."""

BASELINE = untrained(
    "T0-parsed",
    OneSettings(
        title="baseline",
        regressor="one",
        one=dict(zip(OFFICIAL, [name for name in FEATURES if name != "years"], strict=True)),
    ),
)

RECORDS = (
    record("t:1", "View of Venice", creator="Reed, Ada", subject="canals|boats", date="1840"),
    record("t:2", "Boats sailing in Venice", creator="Ada Reed", subject="boats", date="1845"),
    record("t:3", "Portrait of Tom Hall", creator="unknown", description="A man reading", date="1870s"),
    record("t:4", "Tom Hall walking in Harrow", description="A man walking", places="Harrow"),
    record("t:5", "View of Venice", creator="Reed, Ada", subject="canals|boats", date="1840"),
    record("t:6", "!", source="museum"),
)
"""Six records: t:1 and t:5 are exact duplicates, t:6 has no word in its title."""


def fitted(records: Iterable[Record] = RECORDS, declared: Mapping[str, FeatureSettings] = FEATURES) -> Built:
    """A collection in memory."""
    return in_memory(items(records), declared, NONE)


def built(root: Path, records: Iterable[Record] = RECORDS, revision: int = 1) -> Built:
    """A collection on disk."""
    return build.build(root, items(records), FEATURES, NONE, revision=revision, pipeline="toy")


def explained(
    system: System,
    left: Record,
    right: Record,
    types: tuple[SimilarityType, ...] = OFFICIAL,
    declared: Mapping[str, FeatureSettings] = FEATURES,
) -> tuple[ScoreExplanation, ...]:
    """The explanations of two records, over a collection of both."""
    collection, block = fitted([left, right], declared), Block(profiles([left, right]))
    values = collection.pair(block, 0, 1, system.features)
    return explain(system, collection.columns, block, (0, 1), types, values)


def random_system(seed: int, names: Sequence[str] = tuple(FEATURES), missing: float = 0.0) -> System:
    """A linear system with some weights negative and some 0."""
    numbers = np.random.default_rng(seed)
    weights = numbers.uniform(-2, 5, (len(names), len(OFFICIAL)))
    weights[numbers.random(weights.shape) < 0.3] = 0.0
    return System("random", tuple(names), Weighted(weights, numbers.uniform(-1, 2, len(OFFICIAL)), missing))


def ended(work: Callable[..., None], *arguments: object) -> int:
    """The exit status of a process that does ``work``: minus the signal where one ended it."""
    process = multiprocessing.get_context("fork").Process(target=work, args=arguments)
    process.start()
    process.join(PATIENCE)
    assert process.exitcode is not None, "it does not end"
    return process.exitcode


_TITLES = st.lists(
    st.sampled_from(["boat", "boats", "sailing", "Venice", "Ada", "Ada Reed", "1840", "1850s", "of", "!"]),
    max_size=5,
).map(" ".join)
_PHRASES = st.sampled_from(
    ["", "Reed, Ada", "Tom Hall", "boats", "canals|boats", "Venice", "1843", "19th century"]
)
random_fields = st.fixed_dictionaries(
    {"title": _TITLES},
    optional=dict.fromkeys(("creator", "subject", "description", "date", "places", "part_of"), _PHRASES),
)
"""The fields of a random record, out of few words so that records share some."""


@st.composite
def random_records(draw: st.DrawFn, least: int = 1, most: int = 8) -> list[Record]:
    """A few random records; exact duplicates are likely."""
    drawn = draw(st.lists(random_fields, min_size=least, max_size=most))
    return [record(f"r:{n}", **fields) for n, fields in enumerate(drawn)]


def _tag(form: str) -> str:
    if not form[0].isalnum():
        return "PUNCT"
    return "VERB" if form.endswith("ing") else "NOUN"


def _mentions(text: str) -> Iterator[Mention]:
    for kind, names in (("person", PEOPLE), ("location", PLACES)):
        for name in names:
            for match in re.finditer(rf"\b{name}\b", text):
                yield Mention(match.start(), match.end(), kind, name)
