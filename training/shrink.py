"""Halves the files: sixteen bits a number change no score."""

from pathlib import Path
from typing import Any


def shrink(source: Path, target: Path) -> None:
    """Write a model or a vector file with its floating numbers in sixteen bits."""
    import torch

    checkpoint: dict[str, Any] = torch.load(source, map_location="cpu", weights_only=True)
    config = checkpoint.get("config")
    if isinstance(config, dict):  # where it was trained is nobody's business, and differs from run to run
        for name in list(config):
            if name.endswith(("_file", "_dir", "_load_name")) or name in {"device", "save_name"}:
                config[name] = None
    for part in ("model", "emb"):
        if part in checkpoint:
            checkpoint[part] = _half(checkpoint[part])
    torch.save(checkpoint, target)


def _half(value: object) -> object:
    import torch

    if isinstance(value, dict):
        return {name: _half(inner) for name, inner in value.items()}
    if isinstance(value, torch.Tensor) and value.dtype == torch.float32:
        return value.half()
    return value
