"""What two curators wrote at the same time, put together; and what tells two versions of a path apart.

The texts of a path are merged one by one: that which only one of the two changed is taken from them. Where
both changed the same text, to what is not the same, the one that was stored first stays, and the other is a
clash that a curator settles. Whether a text was changed is told by what the curator saw of it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from service.languages.messages import enumerated, field_word, gettext, quotes
from service.paths import editing
from service.paths.following import Draft, unchanged
from service.paths.model import Content, StoredStep
from service.search.recommender import Recommender

WrittenName: TypeAlias = Literal["title", "text", "by", "note", "type", "reason"]
"""What a curator writes: the first three of the path, the others of a step."""

OF_PATH: Final[tuple[WrittenName, ...]] = ("title", "text", "by")
OF_STEP: Final[tuple[WrittenName, ...]] = ("note", "type", "reason")

WrittenTexts: TypeAlias = Mapping[tuple[WrittenName, str], str]
"""Texts by their name and the id of the step's item, which is empty for those of the path."""


class Clash(NamedTuple):
    """A text that two curators changed.

    ``item`` and ``title`` are those of its step, and empty for a text of the path. ``removed``: there is no
    such step any more.
    """

    name: WrittenName
    item: str
    title: str
    theirs: str
    mine: str
    removed: bool = False


def texts_of(content: Content) -> dict[tuple[WrittenName, str], str]:
    """All that is written in a path.

    >>> texts_of(Content(title="Venice", steps=(StoredStep(item="a", title="A", note="Quiet."),)))[
    ...     "note", "a"]
    'Quiet.'
    """
    own: dict[tuple[WrittenName, str], str] = {
        ("title", ""): content.title,
        ("text", ""): content.text,
        ("by", ""): content.curator,
    }
    for step in content.steps:
        own["note", step.item] = step.note
        own["type", step.item] = step.type or ""
        own["reason", step.item] = step.reason
    return own


def merge(
    seen: WrittenTexts, mine: WrittenTexts, now: Content, titles: Mapping[str, str]
) -> tuple[dict[tuple[WrittenName, str], str], list[Clash]]:
    """The texts that ``mine`` changes of what is there now, and those that cannot be put together.

    ``mine`` were written over the texts that were ``seen``; others were left alone. ``titles`` are those of
    the steps that there are and were, by their items: what is written of any other is passed over.

    >>> seen, now = texts_of(Content(title="Venice", text="A")), Content(title="Venice", text="B")
    >>> merge(seen, {("title", ""): "Rome", ("text", ""): "A"}, now, {})
    ({('title', ''): 'Rome'}, [])
    >>> [(one.theirs, one.mine) for one in merge(seen, {("text", ""): "C"}, now, {})[1]]
    [('B', 'C')]
    """
    present = texts_of(now)
    changed, clashes = dict[tuple[WrittenName, str], str](), list[Clash]()
    for key, text in mine.items():
        read = seen.get(key, "")
        there = present.get(key)
        if text in (read, there):
            continue
        if there is not None and there == read:
            changed[key] = text
        elif key[1] in titles or not key[1]:
            clashes.append(Clash(*key, titles.get(key[1], ""), there or "", text, removed=there is None))
    return changed, clashes


def written(recommender: Recommender, now: Content, changed: WrittenTexts) -> Content:
    """A content with some of its texts replaced.

    Where a step is given another type, and no reason with it, the reason of the new type is put. Raises
    ``InvalidRequest`` and ``UnknownType``.
    """
    if not changed:
        return now
    about = [changed.get((name, ""), was) for name, was in zip(OF_PATH, _about(now), strict=True)]
    title, text, by = about
    heading = replace(now, title=title, text=text, curator=by)
    drafts = [_draft(step, changed) for step in now.steps]
    return editing.content(recommender, heading, drafts, now.steps)


def _about(content: Content) -> tuple[str, str, str]:
    return content.title, content.text, content.curator


def _draft(step: StoredStep, changed: WrittenTexts) -> Draft:
    given = {name: changed[name, step.item] for name in OF_STEP if (name, step.item) in changed}
    if not given:
        return unchanged(step)
    kind = given.get("type", step.type or "") or None
    reason = given.get("reason", UNSET if kind != step.type else step.reason)
    return Draft(step.item, given.get("note", step.note), kind, reason)


_NAMED: Final = 2  # titles in a summary; beyond that they are counted
_WORDED: Final[tuple[tuple[str, Callable[[StoredStep], object]], ...]] = (
    ("note", lambda step: step.note),
    ("type", lambda step: step.type),
    ("reason", lambda step: step.reason),
)


def summary(before: Content, after: Content) -> str:
    """What tells one content from the one before it, in a few words.

    >>> a, b = (StoredStep(item=one, title=one.upper()) for one in "ab")
    >>> summary(Content(title="Venice", steps=(a,)), Content(title="Rome", steps=(a, b)))
    'title changed; “B” added'
    """
    return "; ".join(_changes(before, after)) or gettext("nothing changed")


def _changes(before: Content, after: Content) -> Iterator[str]:
    for name, was, now in zip(("title", "text", "curator"), _about(before), _about(after), strict=True):
        if was != now:
            yield gettext("{field} changed").format(field=field_word(name))
    old, new = ({step.item: step for step in content.steps} for content in (before, after))
    if added := [step.title for item, step in new.items() if item not in old]:
        yield gettext("{titles} added").format(titles=_titles(added))
    if removed := [step.title for item, step in old.items() if item not in new]:
        yield gettext("{titles} removed").format(titles=_titles(removed))
    common = [item for item in before.items if item in new]
    is_reordered = common != [item for item in after.items if item in old]
    if is_reordered:
        yield gettext("steps in another order")
    for name, of in _WORDED:
        # in another order what leads from step to step is put anew
        other = [new[item].title for item in common if of(old[item]) != of(new[item])]
        if other and (name == "note" or not (is_reordered or added or removed)):
            yield gettext("{field} of {titles}").format(field=field_word(name), titles=_titles(other))


def _titles(titles: list[str]) -> str:
    if len(titles) > _NAMED:
        return gettext("{number} steps").format(number=len(titles))
    return enumerated([*map(quotes, titles)])
