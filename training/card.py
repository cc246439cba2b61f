"""Writes what a folder of models says about itself: the manifest for the program, the card for people."""

import hashlib
import json
from pathlib import Path
from typing import Final

from features.text import tokenizer

MODEL_FILES: Final = ("vectors.pt", "tagger.pt", "lemmatizer.pt", "entities.pt", "resources.json")


def write_manifest(directory: Path, accuracy: dict[str, float]) -> None:
    """Write sizes, checksums and accuracies; what is listed is what a start checks."""
    import stanza

    files = {}
    for name in MODEL_FILES:
        content = (directory / name).read_bytes()
        files[name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    manifest = {
        "stanza": stanza.__version__,
        "tokenizer": tokenizer.VERSION,
        "files": files,
        "accuracy": accuracy,
    }
    path = directory / "manifest.json"
    path.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def write_card(directory: Path, accuracy: dict[str, float], facts: dict[str, str]) -> None:
    """Write MODEL_CARD.md from its template, the figures filled in."""
    template = (Path(__file__).parent / "MODEL_CARD.template.md").read_text(encoding="utf-8")
    sizes = {name: (directory / name).stat().st_size for name in MODEL_FILES}
    values = {name: f"{value:.3f}".lstrip("0") for name, value in accuracy.items()}
    values |= {f"mb_{Path(name).stem}": f"{size / 1e6:.1f}" for name, size in sizes.items()}
    values |= {"mb_all": f"{sum(sizes.values()) / 1e6:.1f}"} | facts
    for name, value in values.items():
        template = template.replace("{{" + name + "}}", value)
    (directory / "MODEL_CARD.md").write_text(template, encoding="utf-8")
