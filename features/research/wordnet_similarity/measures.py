"""The measures of two synsets by their names in a row of ``features``."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from features.research.wordnet_similarity.jiang_conrath import jiang_conrath
from features.research.wordnet_similarity.leacock_chodorow import leacock_chodorow
from features.research.wordnet_similarity.li import li
from features.research.wordnet_similarity.lin import lin
from features.research.wordnet_similarity.path import path
from features.research.wordnet_similarity.resnik import resnik
from features.research.wordnet_similarity.shared import SynsetSimilarity
from features.research.wordnet_similarity.wu_palmer import wu_palmer

SynsetMeasure: TypeAlias = Literal["path", "lch", "wup", "res", "lin", "jcn", "li"]

SIMILARITIES: Final[Mapping[SynsetMeasure, SynsetSimilarity]] = {
    "path": path,
    "lch": leacock_chodorow,
    "wup": wu_palmer,
    "res": resnik,
    "lin": lin,
    "jcn": jiang_conrath,
    "li": li,
}
