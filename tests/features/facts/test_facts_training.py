"""The model of facts: what readers' facts become, and what is learnt from them."""

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from evaluation.fact_models import MUSEUMS, fact_models
from features.arrays import Bools, Singles
from features.facts.model import FactsManifest, FactsModel, open_facts
from features.facts.network import FactsNetwork, FactTerms
from features.profiles import profile as profiles
from features.profiles.analysis import AnalysisSettings, Models, analyse, fingerprint
from ingest.catalogue import Catalogue
from ingest.errors import UnreadableFile
from ingest.record import Record
from tests.builders import ToyLanguage
from tests.documents import defaults
from tests.features.facts.models import a_value, fact_words, random_words
from tests.features.knowledge.test_wordnet_words import MINI
from training import fact_student, fact_texts
from training import facts as training
from training.fact_labels import CATEGORIES, FACTS, PRESENCE, TAGS, ReadRecords, divisions, read_records
from training.fact_student import CHANNELS, Student, learn
from training.fact_texts import StudentTexts
from training.facts import WHOLE, areas, sample, train_facts

pytestmark = pytest.mark.usefixtures("one_thread")

LINES: Sequence[Mapping[str, object]] = (
    {
        "collection": "train",
        "id": "tate:1",
        "fields": {"title": "Napoleon and his soldiers", "creator": "Reed, Ada", "subject": "war; men"},
        "people": [
            {"name": "Napoleon", "kind": "emperor", "number": "one", "sex": "m", "role": "shown"},
            {"text": "soldiers", "kind": "soldiers", "number": "many", "sex": "m", "role": "shown"},
            {"name": "Tom Hall", "kind": "priest", "sex": "m", "role": "owner"},
        ],
        "makers": [{"text": "Reed, Ada", "name": "Ada Reed", "group": "", "role": "made"}],
        "events": [{"text": "war", "kind": "battle", "group": "war"}],
        "about": ["a general and his army", "war"],
    },
    {
        "collection": "ima",
        "id": "ima:2",
        "fields": {"title": "View of Venice"},
        "places": [{"name": "Venice", "role": "shown"}, {"name": "Bath", "role": "lived"}],
        "makers": [{"text": "unknown"}],
    },
    {
        "collection": "ima",
        "id": "ima:3",
        "fields": {"title": "Portrait of a lady", "date": "1790"},
        "people": [{"kind": "lady", "number": "one", "sex": "f", "role": "subject"}],
        "places": [{"name": "Bath", "role": "lived"}],
        "makers": [{"group": "British School"}],
        "events": [{"group": "portrait"}, {"group": ""}],
    },
    {"collection": "mint", "id": "mint:4", "fields": {}, "people": [{"role": "owner", "sex": "f"}]},
)  # fmt: skip

HEADER = "file\tid\tpeople\tevents\tplaces\tmaker"


def written(shared: Path, lines: Sequence[Mapping[str, object]]) -> Path:
    """A shared folder with readers' facts."""
    path = shared / FACTS
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    return shared


# -- labels ----------------------------------------------------------------------------------------


def test_what_readers_wrote_down_becomes_categories(tmp_path: Path) -> None:
    read = read_records(written(tmp_path, LINES))
    named = [{name for name, has in zip(CATEGORIES, row, strict=True) if has} for row in read.has.tolist()]
    kinds = {"kinds/rulers", "kinds/soldiers", "kinds/men", "kinds/named", "kinds/many"}
    assert named == [
        # the owner is no one: no clergy
        {"people", "people/shown", "maker", "event", "events/war", *kinds},
        # where somebody lived is no place of the item; an unknown maker is none
        {"place", "place/shown"},
        # whom it is about is not shown; sitting for a portrait is no event
        {"people", "maker", "events/portrait", "kinds/women"},
        set(),
    ]


def test_the_texts_of_a_record_are_those_that_were_read(tmp_path: Path) -> None:
    read = read_records(written(tmp_path, LINES))
    assert read.collections == ("train", "ima", "ima", "mint")
    first, _, lady, empty = read.records
    assert [value.text for value in (*first.title, *first.creator, *first.subject)] == [
        "Napoleon and his soldiers",
        "Reed, Ada",
        "war; men",
    ]
    assert [value.text for value in lady.date] == ["1790"]
    assert (empty.title, empty.description, empty.id) == ((), (), "mint mint:4")
    some = read.some(np.array([2, 0]))
    assert (some.collections, some.records) == (("ima", "train"), (lady, first))
    assert some.has.tolist() == read.has[[2, 0]].tolist()
    assert some.tagged == (read.tagged[2], read.tagged[0])


def test_the_words_that_readers_rest_their_facts_on_have_tags(tmp_path: Path) -> None:
    read = read_records(written(tmp_path, LINES))
    named = [[(one.text, TAGS[one.tag]) for one in own or ()] for own in read.tagged]
    # what is only implied has no words, and where somebody lived is another place
    assert named == [
        [("Reed, Ada", "maker"), ("war", "event"), ("soldiers", "shown")],
        [("unknown", "maker")],
        [],
        [],
    ]
    sitting = {"collection": "c", "id": "1", "fields": {}, "events": [{"text": "sits", "group": "portrait"}]}
    places = [{"text": "Venice", "role": "made"}, {"text": "Bath", "role": "shown"}]
    people = [{"text": "Tom", "role": "owner"}, {"text": "a lady", "role": "subject"}]
    (own,) = read_records(written(tmp_path, [{**sitting, "places": places, "people": people}])).tagged
    assert [(one.text, TAGS[one.tag]) for one in own or ()] == [
        ("Venice", "place made"),
        ("Bath", "other place"),
        ("Tom", "owner"),
        ("a lady", "concerned"),
    ]


@pytest.mark.parametrize(
    "data",
    [
        None,
        b"no gzip",
        gzip.compress(b"{}\n"),
        gzip.compress(b"no JSON\n"),
        gzip.compress(b"{}")[:-4],
        gzip.compress(b""),
    ],
    # the names of tests are the same in every process, whatever time a compressed file says
    ids=["no file", "no gzip", "an object without keys", "no JSON", "cut", "empty"],
)
def test_facts_that_cannot_be_read_are_refused(tmp_path: Path, data: bytes | None) -> None:
    written(tmp_path, LINES)
    path = tmp_path / FACTS
    path.unlink() if data is None else path.write_bytes(data)
    with pytest.raises(UnreadableFile, match="does not hold facts of records, one JSON object a line"):
        read_records(tmp_path)


def test_divisions_are_of_whole_collections_dealt_out_by_size() -> None:
    sizes = {"f": 1, "e": 2, "d": 3, "c": 4, "b": 5, "a": 5}
    read = [name for name, number in sizes.items() for _ in range(number)]
    # the largest four begin a division, a before b, of the same size; then it goes round again
    expected = {"a": "a", "b": "b", "c": "c", "d": "d", "e": "a", "f": "b"}
    assert divisions(read) == divisions(read[::-1]) == expected


# -- the student -----------------------------------------------------------------------------------

VOCABULARY = ("king", "sea")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few records and large steps: what is learnt of thousands in an hour is learnt of forty in a second."""
    for name, number in (("_ROUNDS", 100), ("_RATE", 0.01), ("_WARM", 1)):
        monkeypatch.setattr(fact_student, name, number)


def learnt(texts: StudentTexts, wanted: Singles, weights: Singles) -> Singles:
    """What a model that learnt ``wanted`` of the first category says of it in each record."""
    every = np.repeat(wanted[:, np.newaxis], len(CATEGORIES), axis=1)
    numbers = learn(texts, VOCABULARY, every, weights)
    manifest = FactsManifest(
        encoder="",
        categories=CATEGORIES,
        networks=1,
        channels=CHANNELS,
        frequencies=(0.5,) * len(CATEGORIES),
        records=1,
        auc={},
    )
    return FactsModel(manifest, VOCABULARY, (numbers,)).likely(texts.words)[:, 0]


@pytest.mark.usefixtures("quick")
def test_probabilities_come_near_to_soft_targets() -> None:
    # ten records each: with a king, with the sea, with a king at sea
    records = [a_value(text) for text in ("the king", "the sea", "a king at sea") for _ in range(10)]
    shares = np.array([0.9, 0.2, 0.5], np.float32)
    wanted = np.repeat(shares, 10)
    likely = learnt(StudentTexts.of([fact_words(*records)]), wanted, np.ones(30, np.float32))
    assert likely[::10] == pytest.approx(shares, abs=0.05)


@pytest.mark.usefixtures("quick")
def test_records_count_by_their_weights_and_those_of_0_not_at_all() -> None:
    # of the king's records some want 1 with weight 2, as many 0 with weight 1: 2/3; others want what cannot
    # be learnt, and have no weight
    records = [a_value("the king")] * 30 + [a_value("the sea")] * 10
    wanted = np.repeat(np.array([1, 0, np.nan, 0.25], np.float32), 10)
    weights = np.repeat(np.array([2, 1, 0, 1], np.float32), 10)
    likely = learnt(StudentTexts.of([fact_words(*records)]), wanted, weights)
    assert likely[::10] == pytest.approx(np.array([2 / 3, 2 / 3, 2 / 3, 0.25]), abs=0.05)


def test_blocks_are_put_together_as_if_they_were_one() -> None:
    numbers = np.random.default_rng(3)
    records = [random_words(numbers, VOCABULARY) for _ in range(9)]
    whole = fact_words(*records)
    parts = [fact_words(*records[at : at + 2]) for at in range(0, 9, 2)]
    together = StudentTexts.of(parts)
    assert together.words.terms == whole.terms
    for name in set(whole._fields) - {"terms", "rows"}:
        assert getattr(together.words, name).tolist() == getattr(whole, name).tolist()
    assert together.vectors.shape == (len(whole.terms), 384)


@pytest.mark.parametrize("seed", range(3))
def test_the_student_and_the_model_give_the_same_logits(seed: int) -> None:
    numbers = np.random.default_rng(seed)
    torch.manual_seed(seed)
    student = Student(len(VOCABULARY)).eval()
    with torch.no_grad():
        # as they are in 16 bits; row 0 of the words, those that are not known, stays 0
        for each in student.parameters():
            each.copy_(each.half().float())
    texts = StudentTexts.of([fact_words(*([random_words(numbers, VOCABULARY) for _ in range(8)] + [[]]))])
    rows = np.array([texts.words.terms.index(word) for word in VOCABULARY])
    known = np.full(len(texts.words.terms), -1)
    known[rows] = np.arange(len(VOCABULARY))
    expected = student(texts, np.arange(9), torch.from_numpy(known + 1)).detach().numpy()
    given = FactsNetwork(student.weights()).logits(texts.words, FactTerms(texts.vectors.numpy(), known))
    assert given == pytest.approx(expected, abs=1e-5)
    # some records alone, in another order
    some = student(texts, np.array([5, 8, 2]), torch.from_numpy(known + 1)).detach().numpy()
    assert some == pytest.approx(expected[[5, 8, 2]], abs=1e-5)


def test_rounding_to_16_bits_changes_logits_by_little() -> None:
    numbers = np.random.default_rng(1)
    torch.manual_seed(1)
    student = Student(0).eval()
    texts = StudentTexts.of([fact_words(*[random_words(numbers, ()) for _ in range(8)])])
    unknown = np.full(len(texts.words.terms), -1)
    expected = student(texts, np.arange(8), torch.from_numpy(unknown + 1)).detach().numpy()
    given = FactsNetwork(student.weights()).logits(texts.words, FactTerms(texts.vectors.numpy(), unknown))
    assert given == pytest.approx(expected, abs=2e-3)


# -- figures ---------------------------------------------------------------------------------------


def test_areas_are_means_over_collections_with_some_of_either() -> None:
    def of(collection: str, has: Sequence[int]) -> list[tuple[str, bool]]:
        return [(collection, bool(one)) for one in has]

    # in a the three with people are likelier than the three without; in b of nine pairs of one with and one
    # without three are in order; in c there are two without, which is too few
    rows = [*of("a", [1, 1, 1, 0, 0, 0]), *of("b", [1, 1, 1, 0, 0, 0]), *of("c", [1, 1, 1, 0, 0])]
    numbers = [0.9, 0.8, 0.7, 0.3, 0.2, 0.1, *(0.9, 0.2, 0.1, 0.5, 0.4, 0.3), *[0.5] * 5]
    has: Bools = np.zeros((len(rows), len(CATEGORIES)), np.bool_)
    has[:, : len(PRESENCE)] = np.array([[one] for _, one in rows])
    read = ReadRecords(tuple(name for name, _ in rows), (Record(id="a"),) * len(rows), has, ((),) * len(rows))
    likely = np.repeat(np.array(numbers)[:, np.newaxis], len(CATEGORIES), axis=1)
    assert areas(read, likely) == dict.fromkeys(PRESENCE, round((1 + 3 / 9) / 2, 4))
    # of which there is none anywhere nothing can be told
    has[:, CATEGORIES.index("event")] = False
    assert areas(read, likely).keys() == set(PRESENCE) - {"event"}


# -- the whole -------------------------------------------------------------------------------------


def a_museum(name: str) -> list[dict[str, object]]:
    """Ten records with a king and ten with none, of which readers say so."""
    somebody = [{"role": "shown", "kind": "king", "sex": "m"}]
    return [
        {
            "collection": name,
            "id": f"{name}:{n % 10}",  # two have one id, as some that readers read
            "fields": {"title": f"The king {name}" if n < 10 else f"The sea {name}"},
            "people": somebody if n < 10 else [],
        }
        for n in range(20)
    ]


class KnowsKings:
    """Stands in for MiniLM: learns nothing, and is sure of people where a title has a king."""

    learnt: list[set[str]] = []  # noqa: RUF012 - of all teachers

    def learn(self, read: ReadRecords, say: Callable[[str], None]) -> None:
        assert len(read.records) == len(read.has) == len(read.tagged)
        say("a round")
        self.learnt.append({one.id.split()[0] for one in read.records})

    def tell(self, records: Sequence[Record]) -> Singles:
        likely = np.full((len(records), len(CATEGORIES)), 0.25, np.float32)
        kings = [any("king" in value.text for value in one.title) for one in records]
        likely[kings, CATEGORIES.index("people")] = 0.75
        return likely


def toy_analysis(
    catalogue: Catalogue, models: Models, settings: AnalysisSettings, advance: Callable[[int], None]
) -> int:
    assert settings.batch
    waiting = list(catalogue.pending(fingerprint(models)))
    made = zip(waiting, analyse(waiting, ToyLanguage()), strict=True)
    catalogue.put_profiles(
        fingerprint(models), [(one.analysis_hash, profiles.encode(own)) for one, own in made]
    )
    advance(len(waiting))
    return len(waiting)


def museum_files(shared: Path) -> Path:
    """Five museums that readers read, and records of four of them that they did not."""
    written(shared, [line for name in "abcde" for line in a_museum(name)])
    folder = shared / "data" / "records" / "museums"
    folder.mkdir(parents=True)
    for name in "abcd":
        rows = [{"id": f"{name}{n}", "title": ["A king" if n % 2 else "A boat"]} for n in range(12)]
        (folder / f"{name}.jsonl.gz").write_bytes(
            gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode())
        )
    return shared


def test_the_sample_is_of_the_six_fields_and_names_collections_as_readers_do(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "records"
    (folder / "museums").mkdir(parents=True)
    row = {"title": ["Boat"], "subject": ["sea"], "places": ["Venice"]}
    for name in ("tate", "museums/ima"):
        (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(json.dumps({"id": "1", **row}).encode()))
    sampled = sample(tmp_path, {"dublin-core": defaults().mappings["dublin-core"]})
    assert sampled.collections == ("train", "ima")
    assert [one.id for one in sampled.records] == ["1", "1"]
    for one in sampled.records:
        assert ([value.text for value in one.title], one.places) == (["Boat"], ())


@pytest.mark.usefixtures("quick")
def test_every_division_gets_a_model_that_learnt_nothing_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "Teacher", KnowsKings)
    monkeypatch.setattr(KnowsKings, "learnt", [])
    monkeypatch.setattr(fact_texts, "analyse_pending", toy_analysis)
    monkeypatch.setattr(fact_student, "_ROUNDS", 20)
    shared, lines = museum_files(tmp_path / "shared"), list[str]()

    def trained(out: Path) -> dict[str, float]:
        return train_facts(
            shared,
            out,
            tmp_path / "work",
            defaults().mappings,
            MINI,
            analysis=AnalysisSettings(),
            say=lines.append,
            labels=labels,
        )

    labels = tmp_path / "labels.tsv"
    labels.write_text(f"{HEADER}\na\ta1\ts:rulers\t-\t-\t-\n")
    figures = trained(tmp_path / "one")
    # four divisions, e in that of a; no teacher learns from all, and a1 is the record with a short label
    assert KnowsKings.learnt == [set("bcd"), *({*own, "a1"} for own in ("acde", "abde", "abce"))]
    # kings, who are shown, are known again in every museum; of the other categories there are none
    assert figures == {"people": 1, "people/shown": 1}
    divided = tmp_path / "one" / "divisions"
    assert json.loads((divided / MUSEUMS).read_text()) == {"a": "a", "b": "b", "c": "c", "d": "d", "e": "a"}
    assert fact_models(divided)["e"] == divided / "a"
    whole, first = open_facts(tmp_path / "one" / WHOLE), open_facts(divided / "a")
    assert (whole.manifest.records, first.manifest.records) == (5 * 20 + 1 + 4 * 12, 3 * 20 + 3 * 12)
    assert whole.manifest.auc == {"people": 1, "people/shown": 1}
    assert first.manifest.auc == {}
    assert first.manifest.channels == CHANNELS
    # the name of a museum stands in its own records alone, and so in no vocabulary
    assert {"king", "sea"} <= set(first.words)
    assert not set("bcde") & set(whole.words)
    # kings: of a read museum half, with weight 4, and half of the sample at .75, the others at .25; the king
    # of the short labels is of museum a, and so counts in the whole alone; the mean
    # of teachers of one mind is what each of them says
    people = CATEGORIES.index("people")
    assert first.manifest.frequencies[people] == pytest.approx(
        (4 * 30 + 18 * 0.75 + 18 * 0.25) / (4 * 60 + 36), abs=1e-6
    )
    assert whole.manifest.frequencies[people] == pytest.approx(
        (4 * 51 + 24 * 0.75 + 24 * 0.25) / (4 * 101 + 48), abs=1e-6
    )
    # a second run does not ask the teachers again, and gives the same models
    KnowsKings.learnt.clear()
    assert trained(tmp_path / "two") == figures
    assert KnowsKings.learnt == []
    assert open_facts(tmp_path / "two" / WHOLE).name == whole.name
