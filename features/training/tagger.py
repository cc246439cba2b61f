"""The part-of-speech tagger (UPOS and XPOS) on UD GUM."""

from pathlib import Path

from features.training.corpora import gum_file, read_conllu, write_conllu
from features.training.quiet import repeatable
from features.training.sources import TrainingSources


def train_tagger(sources: TrainingSources, vectors: Path, work: Path, *, steps: int, seed: int) -> Path:
    """Train the tagger; the checkpoint with the best dev score is kept."""
    from stanza.models import tagger

    files = {part: work / f"tags-{part}.conllu" for part in ("train", "dev")}
    for part, path in files.items():
        write_conllu(read_conllu(gum_file(sources, part)), path)
    with repeatable(work / "tagger.log", seed):
        tagger.main(
            [
                *("--cpu", "--mode", "train", "--lang", "en", "--shorthand", "en_gum", "--seed", str(seed)),
                *("--train_file", str(files["train"]), "--eval_file", str(files["dev"])),
                *("--output_file", str(work / "tags-out.conllu"), "--wordvec_pretrain_file", str(vectors)),
                *("--save_dir", str(work), "--save_name", "tagger.pt", "--share_hid", "--num_layers", "1"),
                *("--hidden_dim", "100", "--char_hidden_dim", "64", "--char_emb_dim", "32"),
                *("--word_emb_dim", "32", "--word_cutoff", "3", "--transformed_dim", "64"),
                *("--deep_biaff_hidden_dim", "100", "--batch_size", "50", "--max_steps", str(steps)),
                *("--eval_interval", "200", "--fix_eval_interval", "--max_steps_before_stop", "1000"),
            ]
        )
    return work / "tagger.pt"
