"""Where gold comes from, and what weights say of the pairs that they were trained on."""

import re
from pathlib import Path

MODEL_ANNOTATED = "model-annotated"
"""What a README.md says of gold that no people gave."""

_DIGEST = re.compile(r" \([0-9,]+ pairs, ([0-9a-f]{16})[,)]")


def gold_source(directory: Path, file: str) -> str:
    """What the gold in a file of a directory of pairs is, to be said with every figure on it.

    A README.md in the directory or in the one above may say that it is model-annotated.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pairs = Path(folder, "train")
    ...     before = gold_source(pairs, "gold.txt")
    ...     _ = Path(folder, "README.md").write_text("The gold is **model-annotated**, not human.")
    ...     before, gold_source(pairs, "gold.txt")
    ('as given in gold.txt', 'model-annotated (README.md)')
    """
    here = directory.resolve()
    for path in (here / "README.md", here.parent / "README.md"):
        if path.is_file() and MODEL_ANNOTATED in path.read_text(encoding="utf-8", errors="replace").lower():
            return f"{MODEL_ANNOTATED} ({path.name})"
    return f"as given in {file}"


def trained_on(name: str, number: int, digest: str, gold: str) -> str:
    """What weights say of the pairs of a directory they were trained on; ``trained_digests`` reads it.

    >>> trained_on("train", 1200, "4923e6901ad0c130", "model-annotated (README.md)")
    'train (1,200 pairs, 4923e6901ad0c130, gold: model-annotated (README.md))'
    """
    return f"{name} ({number:,} pairs, {digest}, gold: {gold})"


def trained_digests(text: str) -> tuple[str, ...]:
    """The digests of the pairs in what weights say of them, with their gold or, as it once was, without.

    >>> one = trained_on("a (b)", 6, "e5d5df8fcbb1d0a2", "as given in gold.txt")
    >>> trained_digests(f"{one} + c (1,200 pairs, 4923e6901ad0c130)")
    ('e5d5df8fcbb1d0a2', '4923e6901ad0c130')
    >>> trained_digests("nothing")
    ()
    """
    return tuple(_DIGEST.findall(text))
