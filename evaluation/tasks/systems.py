"""The complete systems of the tasks as far as their papers tell how to build them (thesis 2.8).

Each is a row of features and a regressor. ``part`` says what of the system is there: the rest needs parsers,
translators or corpora that can't be had. ``docs/sources.md`` has the same by paper.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from evaluation.tasks.cube_features import NAMES
from evaluation.tasks.regressors import (
    Regressor,
    linear_support_vectors,
    log_linear,
    ridge,
    support_vectors,
)


class TaskSystem(NamedTuple):
    """A published system: its features, and what learns from them; None where the one feature is the score.

    Features are rows of ``features`` in config, or of the thirty of the Cube's regression.
    """

    title: str
    features: tuple[str, ...]
    regressor: Regressor | None
    part: str


_COUNTS: Final = NAMES[8:20]
"""Numbers, names and lengths."""

SYSTEMS: Final[Mapping[str, TaskSystem]] = {
    "ukp-2012": TaskSystem(
        "UKP 2012, in part",
        (
            *("lc_substring", "lc_subsequence", "lc_subsequence_norm", "gst_3", "char_2", "char_3", "char_4"),
            *("word_containment_1_sw", "word_containment_2_sw", "word_jaccard_1", "word_jaccard_3"),
            *("word_jaccard_4", "word_jaccard_2_sw", "alike_res", "alike_lin", "alike_jcn", "alike_numbers"),
        ),
        log_linear,
        "strings, n-grams and WordNet; no explicit semantic analysis, thesaurus, lexical substitution or"
        " translation",
    ),
    "takelab-2012": TaskSystem(
        "TakeLab 2012, in part",
        (
            *("rouge_1", "rouge_2", "rouge_3", "alike_path", "alike_lin", "surface_similarity"),
            *("content_overlap", "summed_vectors", "summed_vectors_idf", "lsa", "alike_numbers", *_COUNTS),
        ),
        support_vectors,
        "overlaps, WordNet, vectors, numbers, names and lengths; no syntactic roles or dependencies",
    ),
    "ebiquity-2013": TaskSystem(
        "Ebiquity-Core 2013, in part",
        ("align_penalize",),
        None,
        "align and penalize; skip-gram vectors in place of LSA over three billion words",
    ),
    "dls-2014": TaskSystem(
        "DLS@CU 2014, in part",
        ("aligned_harmonic",),
        None,
        "the aligner by names, words and windows; no dependencies, WordNet in place of PPDB",
    ),
    "dls-2015": TaskSystem("DLS@CU 2015, in part", ("aligned_share",), None, "as of 2014, with misspellings"),
    "dls-2015-s1": TaskSystem(
        "DLS@CU 2015 S1, in part",
        ("aligned_share", "content_vectors"),
        ridge,
        "as before, and summed vectors of content words; skip-gram in place of Baroni's",
    ),
    "samsung-2016": TaskSystem(
        "Samsung 2016, in part",
        ("aligned_opposed", "aligned_share", *_COUNTS),
        linear_support_vectors,
        "the corrected aligner; no recurrent or recursive network",
    ),
}
"""The systems by the names that ``kindred bench --system`` takes."""
