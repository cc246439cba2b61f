"""How well a finished set of models does on the test parts, measured as the models will be used."""

import time
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from features.text.language import Language
from features.text.tokenizer import tokenize
from training.corpora import Labelled, Row, gum_file, raw_text, read_conllu, read_rows
from training.entities import uner
from training.museum import KINDS, Value, digest
from training.sources import TrainingSources

Entity = tuple[Hashable, int, int, str]
_NAMES = {"PER": "person", "LOC": "location", "ORG": "organisation"}


@dataclass(slots=True)
class Counts:
    """Right, given and wanted, summed up."""

    right: int = 0
    given: int = 0
    wanted: int = 0
    kinds: dict[str, "Counts"] = field(default_factory=dict)

    @property
    def precision(self) -> float:
        """The share of what was found that is right."""
        return self.right / self.given if self.given else 0.0

    @property
    def recall(self) -> float:
        """The share of what was wanted that was found."""
        return self.right / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.given + self.wanted
        return 2 * self.right / both if both else 0.0


def compare(given: set[Entity], wanted: set[Entity]) -> Counts:
    """Count whole entities: borders and kind must be right."""
    counts = Counts(len(given & wanted), len(given), len(wanted))
    for kind in KINDS:
        own, gold = ({e for e in each if e[3] == kind} for each in (given, wanted))
        counts.kinds[kind] = Counts(len(own & gold), len(own), len(gold))
    return counts


def entities_of_corpus(language: Language, gold: Sequence[Labelled]) -> Counts:
    """Compare with a corpus that brings its own tokens."""
    facts = language.analyse_sentences(s.words for s in gold)
    given: set[Entity] = {(n, *e) for n, s in enumerate(gold) for e in facts[s.words].entities}
    return compare(given, {(n, *e) for n, s in enumerate(gold) for e in _spans(s.labels)})


def entities_of_museum(language: Language, gold: Sequence[Value]) -> Counts:
    """Compare with labelled values, from the bare text on."""
    analyses = language.analyse([v.text for v in gold])
    given: set[Entity] = {
        (v.key, m.start, m.end, m.kind) for v, a in zip(gold, analyses, strict=True) for m in a.mentions
    }
    return compare(given, {(v.key, *e) for v in gold for e in v.entities if e[2] in KINDS})


def words(language: Language, gold: Sequence[Sequence[Row]]) -> tuple[float, float]:
    """Give the shares of right tags, and of right lemmas with the tags predicted."""
    forms = [tuple(row.form for row in sentence) for sentence in gold]
    facts = language.analyse_sentences(forms)
    right_tags = right_lemmas = total = 0
    for sentence, key in zip(gold, forms, strict=True):
        total += len(sentence)
        right_tags += sum(r.upos == tag for r, tag in zip(sentence, facts[key].tags, strict=True))
        right_lemmas += sum(r.lemma == lemma for r, lemma in zip(sentence, facts[key].lemmas, strict=True))
    return right_tags / total, right_lemmas / total


def tokens(sources: TrainingSources, part: str) -> tuple[float, float]:
    """Give the F1 of words and of sentences over the running text of a treebank part."""
    text, gold = raw_text(gum_file(sources, part))
    sentences = tokenize(text)
    word_score = _f1({tuple(w) for s in sentences for w in s}, {w for s in gold for w in s})
    return word_score, _f1({(s[0][0], s[-1][1]) for s in sentences}, {(s[0][0], s[-1][1]) for s in gold})


def measure(language: Language, sources: TrainingSources, museum: Sequence[Value]) -> dict[str, float]:
    """Score everything on the test parts."""
    result: dict[str, float] = {}
    result["words_f1_gum_test"], result["sentences_f1_gum_test"] = tokens(sources, "test")
    gold = list(read_conllu(gum_file(sources, "test")))
    result["upos_gum_test"], result["lemmas_gum_test"] = words(language, gold)
    result |= _named("uner_ewt_test", entities_of_corpus(language, uner(sources, "test")))
    result |= _named("museum_test", entities_of_museum(language, museum))
    for collection in sorted({_collection(v) for v in museum}):
        values = [v for v in museum if _collection(v) == collection]
        result[f"entities_f1_museum_test_{collection}"] = entities_of_museum(language, values).f1
    return {name: round(value, 4) for name, value in result.items()}


def speed(language: Language, sources: TrainingSources, records: int = 2000) -> float:
    """Give the captions of Teenie Harris photographs analysed in a second of one core's time.

    The time is the processor's, not the wall's: it does not depend on what else the machine does.
    """
    rows = sorted(read_rows(sources.records / "teenie.jsonl.gz"), key=lambda row: digest(row["id"]))
    texts = [f"{row['title']}. {row['classification']}" for row in rows[:records]]
    begin = time.process_time()
    for first in range(0, len(texts), 500):
        language.analyse(texts[first : first + 500])
    return len(texts) / (time.process_time() - begin)


def _collection(value: Value) -> str:
    return value.key.record.partition(":")[0]


def _named(test: str, counts: Counts) -> dict[str, float]:
    result = {
        f"entities_f1_{test}": counts.f1,
        f"entities_precision_{test}": counts.precision,
        f"entities_recall_{test}": counts.recall,
    }
    return result | {f"{kind}_f1_{test}": each.f1 for kind, each in counts.kinds.items()}


def _f1(given: Iterable[object], wanted: Iterable[object]) -> float:
    own, gold = set(given), set(wanted)
    return 2 * len(own & gold) / (len(own) + len(gold))


def _spans(labels: Sequence[str]) -> list[tuple[int, int, str]]:
    spans = []
    begin = -1
    for place, label in enumerate([*labels, "O"]):
        if begin >= 0 and not label.startswith("I-"):
            spans.append((begin, place, _NAMES[labels[begin][2:]]))
            begin = -1
        if label.startswith("B-"):
            begin = place
    return spans
