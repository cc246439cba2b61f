"""What was published of these systems on the data of the task, and what this project set out to reach.

The published pairs are others (Europeana, human gold) than any that Kindred is measured on here: the
figures stand beside ours, they are not compared with them.
"""

from typing import Literal, NamedTuple


class PublishedRow(NamedTuple):
    """A row of a published table: r by type in the official order, and the mean."""

    system: str
    pearson: tuple[float, ...]
    mean: float


TEST = (
    PublishedRow(
        "official baseline", (0.6691, 0.4278, 0.4460, 0.5002, 0.4835, 0.3062, 0.5015, 0.5810), 0.4894
    ),
    PublishedRow(
        "knowledge (RUN1)", (0.7256, 0.4568, 0.4467, 0.5762, 0.4858, 0.3090, 0.5015, 0.5810), 0.5103
    ),
    PublishedRow(
        "14 features (RUN2)", (0.7457, 0.6618, 0.6518, 0.7466, 0.7244, 0.6533, 0.7404, 0.7751), 0.7124
    ),
    PublishedRow(
        "21 features (RUN3)", (0.7461, 0.6656, 0.6544, 0.7411, 0.7257, 0.6545, 0.7417, 0.7763), 0.7132
    ),
    PublishedRow("Unitor, RBF", (0.7981, 0.8158, 0.6922, 0.7471, 0.7723, 0.6835, 0.7875, 0.7996), 0.7620),
)
"""The 750 test pairs of the task (*SEM 2013; thesis, Tables 5.3 and 6.3)."""

TRAIN = (
    PublishedRow("official baseline", (0.658, 0.396, 0.474, 0.548, 0.472, 0.264, 0.498, 0.539), 0.481),
    PublishedRow("knowledge", (0.727, 0.447, 0.465, 0.588, 0.480, 0.285, 0.497, 0.539), 0.503),
    PublishedRow(
        "14 features (RUN2)", (0.7777, 0.6680, 0.6767, 0.7609, 0.7329, 0.6412, 0.7516, 0.8024), 0.7264
    ),
    PublishedRow(
        "21 features (RUN3)", (0.7866, 0.6941, 0.6965, 0.7654, 0.7492, 0.6551, 0.7586, 0.8067), 0.7390
    ),
)
"""The 750 training pairs of the task, 10-fold cross-validation (thesis, Table 6.2)."""

Figure = Literal["mean", "lowest type", "event", "within", "bias"]


class Target(NamedTuple):
    """A figure that a system is to reach: at least, or for a bias at most.

    Where ``directory`` is named it is of the pairs of that directory: those of all were scored, or, held out,
    those alone.
    """

    system: str
    way: Literal["cross-validation", "unseen", "held out"]
    figure: Figure
    value: float
    directory: str = ""


ORDER = (
    ("T0", ""),
    ("T1", "<"),
    ("T2", "<"),
    ("T3", "<="),
    ("Unitor", "<"),
    ("kindred", "<"),
    ("kindred-max", "<="),
)
"""The systems by their mean, each with how it stands to the one before."""

TARGETS = (
    Target("T3", "cross-validation", "mean", 0.75),
    Target("kindred", "cross-validation", "mean", 0.875, "train"),
    Target("kindred", "cross-validation", "mean", 0.87, "walters"),
    Target("kindred", "unseen", "mean", 0.855),
    Target("kindred", "unseen", "within", 0.80),
    Target("kindred", "unseen", "bias", 0.12),
    Target("kindred", "held out", "mean", 0.83, "walters"),
    Target("kindred", "held out", "event", 0.68, "walters"),
    Target("kindred-max", "cross-validation", "mean", 0.895, "train"),
    Target("kindred-max", "unseen", "mean", 0.86),
)
"""What the systems are to reach."""
