"""The picture of docs/neighbours.svg, from what was measured: ``python -m bench.picture``.

Reads bench/results/neighbours-kindred-ITEMS.json of every size, and the peers, and draws how long ten
neighbours of one type take to find: the median over the eight types, and the slowest type's p99.
"""

import json
from pathlib import Path
from typing import Final

import matplotlib as mpl

mpl.use("svg")
import matplotlib.pyplot as plt
from matplotlib.ticker import LogLocator, NullFormatter

from bench.tables import RESULTS

_PICTURE: Final = Path(__file__).parent.parent / "docs" / "neighbours.svg"
_SYSTEM: Final = "kindred"
_COLOUR: Final = "#1f5fa8"


def main() -> None:
    """Draw."""
    # the same file from the same figures
    mpl.rcParams["svg.hashsalt"] = "kindred"
    _, axes = plt.subplots(figsize=(7.5, 4.2), layout="constrained")
    sizes = _sizes()
    numbers = [items for items, _, _ in sizes]
    axes.plot(numbers, [p50 for _, p50, _ in sizes], "o-", color=_COLOUR, label=f"{_SYSTEM}, p50")
    axes.plot(numbers, [p99 for _, _, p99 in sizes], "o:", color=_COLOUR, label=f"{_SYSTEM}, p99")
    for place, (name, items, p50) in enumerate(_peers()):
        marker = "sD^v"[place % 4]
        axes.plot([items], [p50], marker, color="#777777", label=f"{name}, untyped, p50")
    axes.set(xscale="log", yscale="log", xlabel="items", ylabel="milliseconds, ten neighbours of one type")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.grid(visible=True, which="major", color="#dddddd")
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    plt.savefig(_PICTURE, metadata={"Date": None})


def _sizes() -> list[tuple[int, float, float]]:
    """Items, the median p50 over the types, and the slowest type's p99, by size."""
    sizes = []
    for path in RESULTS.glob(f"neighbours-{_SYSTEM}-[0-9]*.json"):
        result = json.loads(path.read_text())
        searches = [row for row in result["rows"] if str(row["asked"]).endswith(" search")]
        middle = sorted(row["p50_ms"] for row in searches)
        p50 = (middle[3] + middle[4]) / 2
        sizes.append((result["items"], p50, max(row["p99_ms"] for row in searches)))
    return sorted(sizes)


def _peers() -> list[tuple[str, int, float]]:
    """Each peer with the items it was measured on and its p50."""
    peers = []
    for path in RESULTS.glob("peers-*.json"):
        result = json.loads(path.read_text())
        peers += [(row["by"], result["items"], row["p50_ms"]) for row in result["rows"] if not row["type"]]
    return peers


if __name__ == "__main__":
    main()
