"""Every error Kindred raises on purpose, in one tree, which docs/errors.md shows.

Each class is declared with a ``code`` (stable, documented in docs/errors.md), a ``title`` and an HTTP
``status``; what it does not declare it inherits. An instance adds one sentence that says what to do. The code
is the last part of the problem type of an answer over HTTP (RFC 9457) and stands in front of the sentence on
a terminal.
"""

from typing import ClassVar


class KindredError(Exception):
    """The root of all errors that Kindred raises on purpose; made of a sentence that says what to do."""

    code: ClassVar[str] = "error"
    title: ClassVar[str] = "Error"
    status: ClassVar[int] = 500
    exit_status: ClassVar[int] = 1
    remedy: ClassVar[str] = ""
    """The command that mends it on the machine of the service, where there is one."""
    passing: ClassVar[bool] = False
    """Whether a service may start all the same: it answers by itself as soon as it can."""
    retry_after: int | None = None
    """Seconds after which the same request is worth another try; None where it would fail again."""

    def __init_subclass__(cls, *, code: str, title: str, **attributes: str | int) -> None:
        super().__init_subclass__()
        for name, value in {"code": code, "title": title, **attributes}.items():
            setattr(cls, name, value)

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class UsageError(KindredError, code="usage", title="Cannot be done as asked", status=400, exit_status=2):
    """What was asked cannot be done; the caller can mend it."""


class ConfigError(UsageError, code="config", title="Configuration refused", status=500):
    """A setting is unknown or its value is not allowed."""


class UnknownMapping(UsageError, code="unknown-mapping", title="Unknown mapping"):
    """No mapping of that name is declared."""


class UnknownSystem(UsageError, code="unknown-system", title="Unknown system", status=422):
    """No system of that name is declared."""


class UnknownType(UsageError, code="unknown-type", title="Unknown similarity type", status=422):
    """Not one of the similarity types that the system has."""


class UnknownItem(UsageError, code="unknown-item", title="Unknown item", status=404):
    """No item of that id is in the collection."""


class InvalidRequest(UsageError, code="invalid-request", title="Invalid request", status=422):
    """A parameter or the body of a request does not fit."""


class ReadOnly(UsageError, code="read-only", title="Read only", status=403):
    """The service does not take changes."""


class KeyRequired(UsageError, code="key-required", title="Key required", status=401):
    """No key came with the request, or none that the service knows and has not revoked."""


class RoleTooLow(UsageError, code="role-too-low", title="Role too low", status=403):
    """The role of the key does not allow this."""


class CrossSite(UsageError, code="cross-site", title="Sent from another site", status=403):
    """A browser sent this from the page of another site, in the name of somebody who is logged in here."""


class UnknownKey(UsageError, code="unknown-key", title="Unknown key", status=404):
    """No key of that id was ever made."""


class UnknownImport(UsageError, code="unknown-import", title="Unknown import", status=404):
    """No run of that number took records in, or it was taken back already."""


class UnknownPath(UsageError, code="unknown-path", title="Unknown path", status=404):
    """No exploration path of that id, or no such version of it."""


class ItemConflict(UsageError, code="item-conflict", title="Changed by somebody else", status=412):
    """An item is not what the precondition of a change names."""


class OtherCollection(UsageError, code="other-collection", title="Another collection", status=409):
    """A part of the items was asked for that has another collection, or other weights, than is known here."""


class PathConflict(UsageError, code="path-conflict", title="Changed by somebody else", status=412):
    """A path was changed since the version that was read; ``version`` is the one that it has now."""

    def __init__(self, detail: str, version: int) -> None:
        super().__init__(detail)
        self.version = version


class VersionRequired(UsageError, code="version-required", title="Version required", status=428):
    """A change of a path does not say which version of it was read."""


class UnknownSource(UsageError, code="unknown-source", title="Unknown source"):
    """No source of that name is declared."""


class RemovalRefused(UsageError, code="removal-refused", title="Too many items would be removed"):
    """A harvest would remove more items than it may without being told to."""


class HarvestError(KindredError, code="harvest", title="Source cannot be harvested", status=502):
    """A source of records cannot be harvested."""


class ForbiddenAddress(HarvestError, code="forbidden-address", title="Address not allowed"):
    """An address that a harvest may not connect to."""


class SourceUnreachable(HarvestError, code="source-unreachable", title="Source not reachable"):
    """A source gives no answer, or one with an error of HTTP."""


class ServerFault(SourceUnreachable, code="server-fault", title="Server of a source fails"):
    """A source answers one request with an error of its own (HTTP 500), time and again."""


class BrokenAnswer(HarvestError, code="broken-answer", title="Broken answer"):
    """What a source answers is no XML that can be read, or no OAI-PMH."""


class AnswerTooLarge(HarvestError, code="answer-too-large", title="Answer too large"):
    """An answer is larger than is allowed."""


class SourceRefuses(HarvestError, code="source-refuses", title="Source refuses"):
    """A source answers with an error of OAI-PMH; ``reason`` is the protocol's own word for it."""

    def __init__(self, detail: str, reason: str) -> None:
        super().__init__(detail)
        self.reason = reason


class HarvestIncomplete(HarvestError, code="harvest-incomplete", title="Harvest incomplete"):
    """A harvest ended, but records of it are missing; the next one begins where this one began."""


class InputError(KindredError, code="input", title="Broken input", status=422):
    """What was given to read is broken."""


class UnreadableFile(InputError, code="unreadable-file", title="Unreadable file"):
    """A file is missing, not of the promised format, or cut short."""


class RejectedRow(InputError, code="rejected-row", title="Row rejected"):
    """One row makes no record; ``record_id`` is its id where that much could be read."""

    def __init__(self, detail: str, record_id: str | None = None) -> None:
        super().__init__(detail)
        self.record_id = record_id


class PairsError(InputError, code="pairs", title="Pairs do not fit together"):
    """Typed-similarity pairs, texts or gold scores do not fit together."""


class ResourceMissing(KindredError, code="resource-missing", title="Resource missing", status=503):
    """Something has to be provided first; the sentence names the command."""


class LanguageModelError(ResourceMissing, code="language-model", title="Language model unusable"):
    """A language model is missing, damaged, or gives wrong answers."""


class CollectionMissing(
    ResourceMissing, code="collection-missing", title="No collection", remedy="kindred build", passing=True
):
    """No collection was built yet."""


class IndexMissing(
    ResourceMissing, code="index-missing", title="No index", remedy="kindred index build", passing=True
):
    """The cluster has no index to answer from, or one of another version."""


class WeightsMissing(ResourceMissing, code="weights-missing", title="System not trained"):
    """A system that has to be trained has no weights."""


class SchedulerMissing(ResourceMissing, code="scheduler-missing", title="Scheduler missing"):
    """No Dask scheduler answers, or none that has workers with this Kindred."""


class WorkerLost(ResourceMissing, code="worker-lost", title="Build interrupted"):
    """A process of the analysis or the fit was ended from outside, mostly for want of memory."""


class Overloaded(KindredError, code="overloaded", title="Too much at the moment", status=503, retry_after=5):
    """A limit of the service was reached; the same request may succeed later."""


class Busy(Overloaded, code="busy", title="Busy"):
    """More is asked at once than the service works on."""


class WarmingUp(Overloaded, code="warming-up", title="Warming up"):
    """The service loads what its first answers need; it is not ready yet."""


class TimedOut(Overloaded, code="timed-out", title="Out of time"):
    """An answer took longer than the service works on one."""


class RateLimited(Overloaded, code="rate-limited", title="Too many requests", status=429):
    """One client asks more often than it may.

    ``retry_after`` are the seconds until it may again.
    """

    def __init__(self, detail: str, retry_after: int) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class IndexUnavailable(
    KindredError,
    code="index-unavailable",
    title="Index not available",
    status=503,
    passing=True,
    retry_after=5,
):
    """The cluster that holds the index does not answer, or not in time; it is asked again by itself."""


class IndexRefused(IndexUnavailable, code="index-refused", title="Index refused", retry_after=60):
    """The cluster answers and refuses: wrong credentials, too few privileges, or an index without writes."""


class UnusableAddress(KindredError, code="unusable-address", title="Address not usable"):
    """The service cannot listen at the address that is configured."""


class StateError(KindredError, code="state", title="Damaged state"):
    """What Kindred wrote itself is damaged, or cannot be written."""


class CatalogueError(StateError, code="catalogue", title="Catalogue unusable"):
    """The catalogue cannot be opened or written."""


class KeysError(StateError, code="keys", title="Keys unusable"):
    """The file of keys cannot be opened or written."""


class PathsError(StateError, code="paths", title="Paths unusable"):
    """The file of the exploration paths cannot be opened or written."""


class FeedbackError(StateError, code="feedback", title="Feedback unusable"):
    """The file of feedback cannot be opened or written."""


class AnnotationsError(StateError, code="annotations", title="Annotations unusable"):
    """The file of annotations cannot be opened or written."""


class DamagedArtefact(StateError, code="damaged-artefact", title="Damaged artefact"):
    """A checksum, a version or a shape does not hold."""


class UnwritableState(StateError, code="unwritable-state", title="State cannot be written"):
    """The system refuses to write a file of the state: a full disk, no right to write."""
