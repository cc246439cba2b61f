"""The analysis of a catalogue in worker processes; the records are few, the models real."""

from pathlib import Path

import pytest

from features.profiles.analysis import AnalysisSettings, Models, analyse, analyse_pending, fingerprint
from features.profiles.profile import AnalysedValue, Profile, SentenceVector, decode, encode
from features.profiles.sentence_texts import open_vectors
from features.text import sentences
from ingest.catalogue import Catalogue
from tests.builders import ToyLanguage, record

ONE = AnalysisSettings(processes=1)
READ = AnalysedValue("title", 0, (), ())
ENCODED = SentenceVector("title", bytes(384))


def stored(catalogue: Catalogue) -> dict[str, Profile]:
    return {name: decode(profile) for name, profile in catalogue.profiles(fingerprint(Models()))}


def test_the_fingerprint_has_a_half_for_either_step(monkeypatch: pytest.MonkeyPatch) -> None:
    read, _, encoded = fingerprint(Models()).partition(".")
    assert encoded != "none"
    # what is read does not depend on the encoder
    assert fingerprint(Models(encoder="full")).startswith(f"{read}.")
    assert fingerprint(Models(encoder="full")) != fingerprint(Models())
    monkeypatch.setattr(sentences, "fingerprint", lambda _: "")
    assert fingerprint(Models(encoder="full")) == f"{read}.none"


@pytest.mark.slow
def test_what_still_holds_of_an_earlier_profile_is_taken_over(tmp_path: Path) -> None:
    # a: read by these rules, encoded by others; b: the other way round; c: never seen; d: done
    a, b, c, d = (record(name, f"Boat {name}") for name in "abcd")
    read, encoded = fingerprint(Models()).split(".")
    earlier = encode(Profile((READ,), (ENCODED,)))
    done: list[int] = []
    with Catalogue(tmp_path / "catalogue.sqlite") as catalogue:
        catalogue.put_many([a, b, c, d])
        catalogue.put_profiles(f"{read}.old", [(a.analysis_hash, earlier)])
        catalogue.put_profiles(f"old.{encoded}", [(b.analysis_hash, earlier)])
        catalogue.put_profiles(f"{read}.{encoded}", [(d.analysis_hash, earlier)])
        assert analyse_pending(catalogue, Models(), ONE, done.append) == 3
        results = stored(catalogue)
        assert catalogue.count_pending(fingerprint(Models())) == 0
        # what no longer holds is gone
        hashes = [one.analysis_hash for one in (a, b, c, d)]
        assert {mark for _, mark, _ in catalogue.profiles_of_hashes(hashes)} == {fingerprint(Models())}
    assert sum(done) == 3
    assert results["a"].values == (READ,)
    assert ENCODED not in results["a"].vectors
    assert results["b"].values[0].words[0].form == "Boat"
    assert results["b"].vectors == (ENCODED,)
    assert results["c"].values[0].words[0].form == "Boat"
    assert [vector.text for vector in results["c"].vectors] == ["content", "all"]
    assert results["d"] == decode(earlier)


def test_records_outside_a_catalogue_get_the_same_vectors() -> None:
    vectors = open_vectors("compact")
    assert vectors is not None
    one, other = record("a", "Boat"), record("b", "Sea", description="Gift of Tom Hall")
    results = analyse([one, other], ToyLanguage(), vectors)
    assert [profile.vectors for profile in results] == vectors.of([one, other])
    assert results[1].values[1].boilerplate == ((0, 16),)
    assert analyse([one], ToyLanguage())[0].vectors == ()
