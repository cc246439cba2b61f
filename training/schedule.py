"""What Stanza's own training loops lack: a falling learning rate and averaged weights.

Both are worth more to models of this size than a larger network would be.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

Untyped = Any  # Stanza and torch's optimizers, as far as they are used here

_WARM_UP: Final = 150
_FLOOR: Final = 0.02


def set_rate(optimizers: Sequence[Untyped], step: int, steps: int, rate: float) -> None:
    """Let the learning rate rise for a few steps and fall along a cosine."""
    rise = min(1.0, step / _WARM_UP)
    fall = 0.5 * (1 + math.cos(math.pi * step / steps))
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = rate * rise * max(fall, _FLOOR)


class Average:
    """A running mean of the weights: it does better on unseen texts than any single step."""

    def __init__(self, model: Untyped, keep: float) -> None:
        """Begin with the weights as they are; `keep` is the share of the mean that a step leaves."""
        self._keep = keep
        self._mean = {name: value.detach().clone() for name, value in self._trained(model).items()}

    @staticmethod
    def _trained(model: Untyped) -> dict[str, Any]:
        fixed = tuple(f"{name}." for name in model.unsaved_modules)
        return {
            n: v for n, v in model.state_dict().items() if v.is_floating_point() and not n.startswith(fixed)
        }

    def take(self, model: Untyped, step: int) -> None:
        """Let a step's weights into the mean."""
        keep = min(self._keep, step / (step + 10))
        for name, value in self._trained(model).items():
            self._mean[name].lerp_(value.detach(), 1 - keep)

    def exchange(self, model: Untyped) -> dict[str, Any]:
        """Put the mean into the model and give back its own weights, to be put back afterwards."""
        own = {name: value.detach().clone() for name, value in model.state_dict().items()}
        model.load_state_dict(self._mean, strict=False)
        return own
