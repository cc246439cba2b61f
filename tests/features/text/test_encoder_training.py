"""The compact sentence encoder: which texts it learns from, and that it learns."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from features.knowledge.wordnet.reader import open_wordnet
from features.text import minilm
from features.text.piece_sums import open_model
from features.text.sentences import fingerprint
from tests.documents import defaults
from training.encoder import EncoderSettings, train_encoder
from training.encoder_texts import TextSettings, collect

MINIATURE = Path(__file__).parents[2] / "data" / "wordnet"


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A record of every museum, an article, a pair of captions and a sentence of a treebank."""
    files: dict[str, list[dict[str, object]]] = {
        "records/walters": [
            {
                "id": "w",
                "title": "Vase",
                "subject": ["flower"],
                "description": "It is blue. It was made in Iznik.",
            }
        ],
        "records/tna": [{"id": "n", "title": "Letter"}],
        "records/cmoa": [{"id": "c", "title": "Chair"}],
        "records/tate": [{"id": "t", "title": "Boats at sea"}],
        "records/teenie": [{"id": "h", "title": "Boats at sea"}],
        "wikipedia/articles": [{"title": "Sea", "text": "The sea covers most of the earth, and is salt."}],
    }
    data = tmp_path / "data"
    for name, rows in files.items():
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(data / f"{name}.jsonl.gz", "wt") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    (data / "sts").mkdir()
    (data / "sts" / "captions.tsv").write_text("4.2\tA man plays a flute\tA flute is played\n")
    (data / "ud").mkdir()
    with gzip.open(data / "ud" / "train.conllu.gz", "wt") as file:
        file.write("# text = He bought a dog.\n1\tHe\n")
    return tmp_path


def test_every_text_is_taken_once_from_all_that_there_is(shared: Path) -> None:
    wordnet = open_wordnet(MINIATURE)
    results = collect(shared, defaults().mappings, wordnet, TextSettings())
    by: dict[str, list[str]] = {}
    for text in results:
        by.setdefault(text.origin, []).append(text.text)
    assert len({text.text for text in results}) == len(results)
    assert by["walters"][:2] == ["Vase. flower", "Vase. flower. It is blue."]
    assert by["walters parts"] == ["Vase", "flower", "It is blue.", "It was made in Iznik."]
    assert (by["tna"], by["cmoa"], by["tate"]) == (["Letter"], ["Chair"], ["Boats at sea"])
    assert sorted(by["everyday"]) == ["A flute is played", "A man plays a flute", "He bought a dog."]
    assert by["wikipedia"] == ["The sea covers most of the earth, and is salt."]
    assert len(by["wordnet"]) == len(wordnet)
    # the title of the Teenie Harris archive is there already
    assert "teenie" not in by


@pytest.mark.slow
@pytest.mark.skipif(not fingerprint("full"), reason="needs the extra: pip install 'kindred[sentences]'")
def test_it_comes_nearer_to_its_teacher_round_by_round(shared: Path, tmp_path: Path) -> None:
    work, lines = tmp_path / "work", list[str]()
    work.mkdir()
    # a start by chance in place of MiniLM's vectors of all 30,522 pieces
    pieces = len(minilm.vocabulary())
    np.save(work / "pieces.npy", np.random.default_rng(1).normal(0, 0.05, (pieces, 384)).astype(np.float32))
    mappings, wordnet = defaults().mappings, open_wordnet(MINIATURE)

    def trained(out: Path) -> dict[str, float]:
        chosen = EncoderSettings(rounds=30, rate=0.01)
        return train_encoder(
            shared, out, work, mappings, wordnet, workers=1, settings=chosen, say=lines.append
        )

    figures = trained(tmp_path / "one")
    losses = [float(line.rpartition(" ")[2]) for line in lines if line.startswith("round")]
    assert losses[-1] < losses[15] < losses[0]
    assert lines[0].endswith(f"MiniLM has {figures['texts']} of them to encode")
    model = open_model(tmp_path / "one")
    learnt, teacher = (each.encode(["It is blue."])[0] for each in (model, minilm.MiniLM()))
    assert learnt @ teacher > 0.8
    # the teacher's vectors are kept, and the run gives the same model again
    lines.clear()
    assert trained(tmp_path / "two") == figures
    assert lines[0].endswith("MiniLM has 0 of them to encode")
    files = [{path.name for path in (tmp_path / each).iterdir()} for each in ("one", "two")]
    assert files[0] == files[1]  # the names are of digests
