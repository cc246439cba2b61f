"""Event words: verbs, and nouns that name events.

WordNet 3.0 does not say which derivational links join a verb to the noun of its event: hence this rule.

*A sense of a noun names an event* where it stands in ``noun.act`` or ``noun.event``; where it is a kind of
occasion that was filed elsewhere (``_OCCASIONS``); and where it is weather, or a deed of the body, that such
a verb is derived from (storm, smile).

*A noun names an event* where such senses make up more than half of its use (:meth:`WordNet.weighted`). Three
tenths are enough where a verb is derived from one of them and things that can be touched make up less
(party, death, march). It does not where more than a twentieth of its use is something made to be looked at or
read: *painting*, *work* and *study* stay out. A form in -ing that WordNet knows as a verb only is an event.

*A verb names an event* unless it is *be*, *have* or *do* or states make up more than two thirds of its
use (include, contain, live).
"""

from features.knowledge.wordnet.reader import WordNet, plain

_EVENTS = {"noun.act", "noun.event"}
_OCCASIONS = (
    ("social_gathering", 1), ("meeting", 1), ("social_event", 1), ("procession", 2), ("dance", 1),
    ("address", 3), ("discussion", 1), ("discussion", 2), ("dispute", 1), ("protest", 1),
    ("festival", 1), ("religious_holiday", 1), ("geological_phenomenon", 1),
)  # fmt: skip
_DERIVED = {"noun.phenomenon": "verb.weather", "noun.communication": "verb.body", "noun.state": "verb.body"}
_MEDIA = (("creation", 2), ("written_communication", 1), ("artwork", 1))
_THINGS = {
    "noun.animal", "noun.artifact", "noun.body", "noun.food", "noun.location", "noun.object",
    "noun.plant", "noun.shape", "noun.substance",
}  # fmt: skip
_HALF, _ENOUGH, _NO_MEDIUM, _STATES = 0.5, 0.3, 0.05, 2 / 3
# auxiliaries by nature, whatever the tagger says
_NO_VERBS = {"be", "have", "do"}
# things that museums have or stand in, whose sense as such WordNet's texts hardly met
_NO_NOUNS = {"avenue", "ceramics", "design", "elevation", "pattern"}


class EventWords:
    """The event words of a WordNet."""

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._occasions = set(wordnet.named(_OCCASIONS))
        self._media = set(wordnet.named(_MEDIA))

    def is_event(self, lemma: str, tag: str) -> bool:
        """Whether a lemma of a universal part of speech names an event; PROPN counts as NOUN, AUX never."""
        if tag == "VERB":
            return self._is_event_verb(plain(lemma))
        return tag in {"NOUN", "PROPN"} and self._is_event_noun(plain(lemma))

    def _is_event_verb(self, lemma: str) -> bool:
        senses = self._wordnet.weighted(lemma, "v")
        states = sum(share for node, share in senses if self._wordnet.lexicographer(node) == "verb.stative")
        lemmas = {known for known, _ in self._wordnet.lemmas(lemma, "VERB")}
        return bool(senses) and states <= _STATES and not lemmas & _NO_VERBS

    def _is_event_noun(self, lemma: str) -> bool:
        senses = self._wordnet.weighted(lemma, "n")
        if not senses:
            return lemma.endswith("ing") and self._is_event_verb(lemma)
        events = {node: share for node, share in senses if self._is_event_sense(node)}
        share = sum(events.values())
        if share <= _ENOUGH or lemma in _NO_NOUNS:
            return False
        others = [(node, share) for node, share in senses if node not in events]
        if sum(share for node, share in others if self._is_below(node, self._media)) > _NO_MEDIUM:
            return False
        if share > _HALF:
            return True
        things = sum(share for node, share in senses if self._wordnet.lexicographer(node) in _THINGS)
        return things < share and any(self._verbs(node) for node in events)

    def _is_event_sense(self, node: int) -> bool:
        file = self._wordnet.lexicographer(node)
        filed = file in _EVENTS or self._is_below(node, self._occasions)
        return filed or _DERIVED.get(file) in self._verbs(node)

    def _is_below(self, node: int, roots: set[int]) -> bool:
        return not roots.isdisjoint((node, *self._wordnet.ancestors(node)))

    def _verbs(self, node: int) -> set[str]:
        """The lexicographer files of the verbs that a sense is linked to by derivation."""
        files = (self._wordnet.lexicographer(link.target) for link in self._wordnet.derivations(node))
        return {file for file in files if file.startswith("verb.")}
