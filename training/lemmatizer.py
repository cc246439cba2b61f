"""The lemmatizer: a dictionary of the treebank's words, and a small network for words it never saw."""

from pathlib import Path

from training.corpora import Row, gum_file, read_conllu, write_conllu
from training.quiet import repeatable
from training.sources import TrainingSources


def train_lemmatizer(sources: TrainingSources, work: Path, *, epochs: int, seed: int) -> Path:
    """Train the network on one occurrence of each (form, tag, lemma), the dictionary on all."""
    from stanza.models import lemmatizer

    files = {part: work / f"lemma-{part}.conllu" for part in ("types", "train", "dev")}
    train = list(read_conllu(gum_file(sources, "train")))
    write_conllu(train, files["train"])
    write_conllu(read_conllu(gum_file(sources, "dev")), files["dev"])
    write_conllu(_types(train), files["types"])
    with repeatable(work / "lemmatizer.log", seed):
        lemmatizer.main(
            [
                *("--cpu", "--mode", "train", "--shorthand", "en_gum", "--seed", str(seed)),
                *("--train_file", str(files["types"]), "--secondary_file", str(files["train"])),
                *("--eval_file", str(files["dev"]), "--output_file", str(work / "lemma-out.conllu")),
                *("--save_dir", str(work), "--save_name", "lemmatizer.pt"),
                *("--hidden_dim", "64", "--emb_dim", "32", "--pos_dim", "32", "--num_epoch", str(epochs)),
                *("--batch_size", "50", "--lr", "0.002", "--dropout", "0.3", "--emb_dropout", "0.2"),
            ]
        )
    return work / "lemmatizer.pt"


def _types(sentences: list[list[Row]]) -> list[list[Row]]:
    seen: set[tuple[str, str, str]] = set()
    distinct = []
    for sentence in sentences:
        new = []
        for row in sentence:
            key = (row.form, row.upos, row.lemma)
            if key not in seen:
                seen.add(key)
                new.append(row)
        if new:
            distinct.append(new)
    return distinct
