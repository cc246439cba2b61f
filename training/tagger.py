"""The part-of-speech tagger (UPOS and XPOS) on UD GUM."""

from pathlib import Path
from typing import Any

from training.corpora import gum_file, read_conllu, write_conllu
from training.quiet import repeatable
from training.schedule import Average, set_rate
from training.sources import TrainingSources

_RATE = 0.004
_AVERAGING = 0.998
_EVALUATE_EVERY = 200


def train_tagger(sources: TrainingSources, vectors: Path, work: Path, *, steps: int, seed: int) -> Path:
    """Train the tagger; the averaged weights with the best dev score (UPOS) are kept."""
    from stanza.models import tagger
    from stanza.models.common.pretrain import Pretrain
    from stanza.models.pos.data import Dataset
    from stanza.models.pos.trainer import Trainer
    from stanza.utils.conll import CoNLL

    files = {part: work / f"tags-{part}.conllu" for part in ("train", "dev")}
    for part, file in files.items():
        write_conllu(read_conllu(gum_file(sources, part)), file, features=False)
    path = work / "tagger.pt"
    with repeatable(work / "tagger.log", seed), (work / "tagger.scores").open("w") as log:
        args = _arguments(files, work, seed)
        pretrain = Pretrain(str(vectors), save_to_file=False)
        vocab, _, batches = tagger.load_training_data(args, pretrain)
        dev = Dataset(CoNLL.conll2doc(str(files["dev"])), args, pretrain, vocab=vocab, evaluation=True)
        trainer = Trainer(args=args, vocab=vocab, pretrain=pretrain, device="cpu")
        average = Average(trainer.model, _AVERAGING)
        best, step = -1.0, 0
        while step < steps:
            for batch in batches:
                step += 1
                set_rate(list(trainer.optimizers.values()), step, steps, _RATE)
                trainer.update(batch)
                average.take(trainer.model, step)
                if step % _EVALUATE_EVERY == 0:
                    own = average.exchange(trainer.model)
                    score = _score(trainer, dev)
                    log.write(f"{step}\t{score:.4f}\n")
                    log.flush()
                    if score > best:
                        best = score
                        trainer.save(str(path))
                    trainer.model.load_state_dict(own)
                if step == steps:
                    break
    return path


def _arguments(files: dict[str, Path], work: Path, seed: int) -> dict[str, Any]:
    from stanza.models import tagger

    args: dict[str, Any] = tagger.parse_args(
        [
            *("--cpu", "--mode", "train", "--lang", "en", "--shorthand", "en_gum", "--seed", str(seed)),
            *("--train_file", str(files["train"]), "--eval_file", str(files["dev"])),
            *("--save_dir", str(work), "--share_hid", "--num_layers", "1", "--hidden_dim", "128"),
            *(
                "--char_hidden_dim",
                "64",
                "--char_emb_dim",
                "32",
                "--word_emb_dim",
                "32",
                "--word_cutoff",
                "3",
            ),
            *("--transformed_dim", "64", "--deep_biaff_hidden_dim", "100", "--batch_size", "50"),
        ]
    )
    return args


def _score(trainer: Any, dev: Any) -> float:  # noqa: ANN401 (Stanza declares no types)
    right = total = 0
    for batch in dev.to_loader(batch_size=100):
        predicted = trainer.predict(batch)
        for index, tags in zip(batch.idx, predicted, strict=True):
            gold = [word.upos for word in dev.doc.sentences[index].words]
            right += sum(tag[0] == wanted for tag, wanted in zip(tags, gold, strict=True))
            total += len(gold)
    return right / total
