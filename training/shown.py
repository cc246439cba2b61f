"""Which records show a person, and which an action or event, by catalogue terms alone (never by gold).

Tate's subject index tells of all that is in it; a record of The Walters tells by its keywords, which
WordNet knows as persons, gods or spirits or which are among a few words of events, and by what the thing
is (portraits, crucifixes). That nobody is shown is told by an index or by keywords without any such term,
and by kinds of things that are plain (vases, scarabs, buckles) where the title names no being and the
description does not speak of a picture. Whatever is not clear is left out.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from features.knowledge.wordnet.reader import WordNet
from ingest.mapping import Mapping as RecordMapping
from ingest.reading.row import CellRow
from training.encoder_texts import record_texts
from training.sources import LABELS
from training.subject_examples import texts

CATEGORIES: Final = ("shown/action", "shown/person")

_BEINGS: Final = (("person", 1), ("spiritual being", 1))
"""The synsets of WordNet above persons, gods and angels."""

_NO_BEINGS: Final = (("inhabitant", 1),)
_NO_KEYWORDS: Final = frozenset(
    {"author", "calligrapher", "christian", "donor", "indian", "muslim", "poet", "scribe", "sufi", "writer"}
)
"""What keywords name for where a thing is from, whose faith it serves and who wrote it."""

_PEOPLE_OF_INDEX: Final = (
    "people/",
    "religion and belief/Saints",
    "religion and belief/classical myths: gods",
)
_ACTIONS_OF_INDEX: Final = (
    "people/actions: expressive/",
    "people/actions: processes and functions/",
    "leisure and pastimes/music and entertainment/dan",
    "leisure and pastimes/recreational",
    "leisure and pastimes/sport/",
    "history/military",
    "society/crime and punishment/",
    "religion and belief/classical myths: events",
    *(
        f"people/actions: postures and motions/{motion}"
        for motion in (
            "walking",
            "kneeling",
            "running",
            "falling",
            "climbing",
            "flying",
            "leaping",
            "marching",
        )
    ),
)
_UNCLEAR_OF_INDEX: Final = (
    "history/",
    "leisure and pastimes/",
    "literature and fiction/",
    "religion and belief/",
    "society/birth",
    "society/crime",
    "society/family",
    "society/sex",
    "society/social comment",
    "symbols & personifications/",
    "work and occupations/",
)
"""Branches that tell of people or events without saying whether any are shown."""

_EVENTS: Final = frozenset((LABELS / "events.txt").read_text(encoding="utf-8").splitlines())
"""Keywords of events."""
_PICTURED: Final = re.compile(
    r"(?:saints?|st\.) .*|(?:.* )?portraits?|face|men|women|people|buddha|bodhisattva|jesus christ|madonna"
    r"|venus|evangelists?"
)
_PEOPLED: Final = frozenset(
    {"altarpieces", "busts", "crucifixes", "icons", "portrait", "portraits", "statuary groups"}
)
"""Things that show a person."""

_UNCLEAR: Final = re.compile(
    r"(?i)illustrat|miniature|historiated|genre|literature|history|biblical|religio|kabuki|\bno\b|kyogen|art$"
    r"|painting"
)
"""Keywords of books and pictures that may well show somebody."""

_PLAIN: Final = frozenset((LABELS / "plain_things.txt").read_text(encoding="utf-8").splitlines())
"""Things that show nobody, unless their title or description tells of a picture."""
_PLAIN_AT_CARNEGIE: Final = frozenset(
    {
        "Ceramics",
        "Metals",
        "Glass",
        "Wood",
        "containers",
        "furniture",
        "lighting devices",
        "tools and equipment",
    }
)
_SPEAKS_OF_PICTURE: Final = re.compile(
    r"(?i)\b(?:depict|portra[iy]|medallion|represent|show|figur|scene|image|illustrat|seated|sitting|standing|kneeling|holding|riding"
    r"|carved with|in the (?:shape|form)|head|face|bust)"
)

Answers = Mapping[str, bool]
"""Of person and action whether they are shown, where it is clear."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The texts of a record, and of what is clear whether it is shown; ``group`` is its museum and kind."""

    group: str
    texts: tuple[str, ...]
    answers: Answers


@dataclass(frozen=True, slots=True)
class ShownSettings:
    """The sizes of a sample."""

    of_group: int = 1200
    """Records of one museum, kind of thing and answer."""
    seed: int = 1


def sample_shown(
    museums: Mapping[str, Iterable[CellRow]],
    mappings: Mapping[str, RecordMapping],
    left_out: frozenset[str],
    wordnet: WordNet,
    settings: ShownSettings,
) -> list[Shown]:
    """The records that tell, evenly over museums and kinds; the same ones for the same records and seed."""
    being = _beings(wordnet)
    chance = random.Random(settings.seed)  # noqa: S311 - a sample, no secret
    sample: list[Shown] = []
    for museum, answer in (("tate", of_tate), ("walters", of_walters), ("cmoa", of_carnegie)):
        rows = [row for row in museums[museum] if row.get("title")]
        titles = {str(row["title"]) for row in rows if row["id"] in left_out}
        chance.shuffle(rows)
        of = Counter[str]()
        for row in rows:
            answers = {} if row["title"] in titles else answer(row, being)
            if not answers:
                continue
            titles.add(str(row["title"]))
            group = f"{museum} {row.get('classification')}"
            mark = f"{group} {sorted(answers.items())}"
            of[mark] += 1
            if of[mark] <= settings.of_group:
                record = mappings[museum].apply(row)
                brief, shown, *_ = record_texts(record)
                each = dict.fromkeys((record.title[0].text, brief, shown))
                sample.append(Shown(group, tuple(each), answers))
    return sample


Being = Callable[[str], bool | None]
"""Whether a word names a being; None where it is no word that is known."""


def of_tate(row: Mapping[str, object], being: Being) -> Answers:  # noqa: ARG001 - as of the other museums
    """What the subject index tells."""
    paths = [f"{path}/" for path in texts(row, "subject_path")]
    if not paths:
        return {}
    answers: dict[str, bool] = {}
    unclear = any(path.startswith(_UNCLEAR_OF_INDEX) for path in paths)
    for name, begins in (("person", _PEOPLE_OF_INDEX), ("action", _ACTIONS_OF_INDEX)):
        shown = any(path.startswith(begins) for path in paths)
        if shown or not unclear:
            answers[name] = shown
    return answers


def of_walters(row: Mapping[str, object], being: Being) -> Answers:
    """What keywords and kind tell."""
    keywords = [word.strip("* ").casefold() for word in texts(row, "subject")]
    kinds = set(_kinds(row))
    people = any(_PICTURED.fullmatch(word) or being(word) for word in keywords if word not in _NO_KEYWORDS)
    person = people or bool(kinds & _PEOPLED)
    action = any(word in _EVENTS for word in keywords)
    nothing = _nothing_pictured(row, kinds <= _PLAIN and bool(kinds), being) or (
        len(keywords) > 1
        and not any(_UNCLEAR.search(word) or being(word) is None for word in keywords)
        and not _names_being(row, being)
    )
    nothing = nothing and not person
    answers: dict[str, bool] = {}
    if person or nothing:
        answers["person"] = person
    if action or nothing or (person and kinds & _PEOPLED):
        answers["action"] = action
    return answers


def of_carnegie(row: Mapping[str, object], being: Being) -> Answers:
    """What the kind tells, of plain things alone."""
    plain = row.get("classification") in _PLAIN_AT_CARNEGIE
    return {"person": False, "action": False} if _nothing_pictured(row, plain, being) else {}


def _nothing_pictured(row: Mapping[str, object], plain: bool, being: Being) -> bool:
    if not plain or _SPEAKS_OF_PICTURE.search(f"{row['title']} {row.get('description') or ''}"):
        return False
    return not _names_being(row, being)


def _names_being(row: Mapping[str, object], being: Being) -> bool:
    return any(being(word.casefold()) for word in re.findall(r"[^\W\d_]+", str(row["title"])))


def _kinds(row: Mapping[str, object]) -> Iterator[str]:
    for name in str(row.get("object_name") or "").split(";"):
        kind = re.sub(r"\s*\([^)]*\)", "", name).strip().casefold()
        if kind:
            yield kind


def _beings(wordnet: WordNet) -> Being:
    above, others = set(wordnet.named(_BEINGS)), set(wordnet.named(_NO_BEINGS))

    @lru_cache(100_000)
    def being(word: str) -> bool | None:
        """Of the first sense of a noun; of the last word of several where they are none."""
        for form in dict.fromkeys((word, word.split(" ")[-1])):
            for lemma in (form, *(lemma for lemma, pos in wordnet.lemmas(form, "NOUN") if pos == "n")):
                if senses := wordnet.senses(lemma, "n"):
                    line = {senses[0], *wordnet.ancestors(senses[0])}
                    return bool(line & above) and not line & others
        return None

    return being
