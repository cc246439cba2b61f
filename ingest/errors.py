"""Every error Kindred raises on purpose, in one tree.

::

    KindredError
    ├── UsageError                  what was asked cannot be done; the caller can mend it
    │   ├── ConfigError             config.yaml or KINDRED_... : unknown key, wrong value
    │   ├── UnknownMapping          no mapping of that name in config.yaml
    │   ├── UnknownSystem           no system of that name in config.yaml
    │   ├── UnknownType             not a type of similarity that the system scores
    │   ├── UnknownItem             no item of that id in the collection
    │   ├── InvalidRequest          a request's parameter or body does not fit
    │   ├── ReadOnly                the service does not take changes
    │   ├── KeyRequired             no key of the service came with the request, or none that counts
    │   ├── RoleTooLow              the key is known, but its role may not do this
    │   ├── CrossSite               a browser sent a form from the page of another site
    │   ├── UnknownKey              no key of that id
    │   ├── UnknownImport           no run of that number took records in, or it was taken back
    │   ├── UnknownPath             no exploration path of that id, or no such version of it
    │   ├── PathConflict            a path was changed since the version that was read
    │   ├── VersionRequired         a change of a path does not say which version was read
    │   ├── UnknownSource           no source of that name under harvest in config.yaml
    │   └── RemovalRefused          a harvest would remove more items than it may without being told to
    ├── InputError                  what was given to read is broken
    │   ├── UnreadableFile          missing, not of the promised format, or cut short
    │   ├── RejectedRow             one row makes no record; the others go on
    │   └── PairsError              typed-similarity pairs or gold that do not fit together
    ├── ResourceMissing             something has to be provided first; says by which command
    │   ├── LanguageModelError      a language model is missing, damaged or gives wrong answers
    │   ├── CollectionMissing       nothing was built yet
    │   ├── IndexMissing            the cluster has no index, or one that does not fit
    │   ├── WeightsMissing          a system that has to be trained was not
    │   ├── SchedulerMissing        no Dask scheduler answers, or none with workers of this Kindred
    │   └── WorkerLost              a process of the analysis or the fit was ended from outside
    ├── Overloaded                  a limit of the service; the same may succeed later
    │   ├── Busy                    more is asked at once than the service works on
    │   ├── TimedOut                an answer took longer than is allowed
    │   └── RateLimited             one client asks more often than is allowed
    ├── IndexUnavailable            the cluster cannot be asked now; it may heal alone
    │   └── IndexRefused            the cluster refuses: credentials, privileges, a read-only index
    ├── HarvestError                a source of records cannot be harvested
    │   ├── ForbiddenAddress        an address that a harvest may not connect to
    │   ├── SourceUnreachable       no answer, or an answer with an error of HTTP
    │   │   └── ServerFault         the server answers one request with an error of its own, time and again
    │   ├── BrokenAnswer            what came is no XML that can be read, or no OAI-PMH
    │   ├── AnswerTooLarge          what came is larger than is allowed
    │   ├── SourceRefuses           the source answers with an error of OAI-PMH
    │   └── HarvestIncomplete       the harvest ended, but records of it are missing
    ├── UnusableAddress             the service cannot listen there
    └── StateError                  what Kindred wrote itself is damaged, or cannot be written
        ├── CatalogueError          the catalogue cannot be opened or written
        ├── KeysError               the file of keys cannot be opened or written
        ├── PathsError              the file of the exploration paths cannot be opened or written
        ├── FeedbackError           the file of feedback cannot be opened or written
        ├── DamagedArtefact         a checksum, version or shape does not hold
        └── UnwritableState         the system refuses a file: a full disk, no right to write

Each class carries a ``code`` (stable, documented in docs/errors.md), a ``title`` and an HTTP
``status``; an instance adds one sentence that says what to do. The code is the last part of the
problem type of an answer over HTTP (RFC 9457) and stands in front of the sentence on a terminal.
"""

from typing import ClassVar


class KindredError(Exception):
    """The root: catch it to catch whatever Kindred raises on purpose.

    >>> str(UnknownItem("no item 'x' in the collection"))
    "no item 'x' in the collection"
    """

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

    def __init__(self, detail: str) -> None:
        """One sentence that says what is wrong and what to do."""
        super().__init__(detail)
        self.detail = detail


class UsageError(KindredError):
    """What was asked cannot be done; the caller can mend it."""

    code = "usage"
    title = "Cannot be done as asked"
    status = 400
    exit_status = 2


class ConfigError(UsageError):
    """A setting is unknown or its value is not allowed."""

    code = "config"
    title = "Configuration refused"
    status = 500


class UnknownMapping(UsageError):
    """No mapping of that name is declared."""

    code = "unknown-mapping"
    title = "Unknown mapping"


class UnknownSystem(UsageError):
    """No system of that name is declared."""

    code = "unknown-system"
    title = "Unknown system"
    status = 422


class UnknownType(UsageError):
    """Not one of the similarity types that the system has."""

    code = "unknown-type"
    title = "Unknown similarity type"
    status = 422


class UnknownItem(UsageError):
    """No item of that id is in the collection."""

    code = "unknown-item"
    title = "Unknown item"
    status = 404


class InvalidRequest(UsageError):
    """A parameter or the body of a request does not fit."""

    code = "invalid-request"
    title = "Invalid request"
    status = 422


class ReadOnly(UsageError):
    """The service does not take changes."""

    code = "read-only"
    title = "Read only"
    status = 403


class KeyRequired(UsageError):
    """No key came with the request, or none that the service knows and has not revoked."""

    code = "key-required"
    title = "Key required"
    status = 401


class RoleTooLow(UsageError):
    """The role of the key does not allow this."""

    code = "role-too-low"
    title = "Role too low"
    status = 403


class CrossSite(UsageError):
    """A browser sent this from the page of another site, in the name of somebody who is logged in here."""

    code = "cross-site"
    title = "Sent from another site"
    status = 403


class UnknownKey(UsageError):
    """No key of that id was ever made."""

    code = "unknown-key"
    title = "Unknown key"
    status = 404


class UnknownImport(UsageError):
    """No run of that number took records in, or it was taken back already."""

    code = "unknown-import"
    title = "Unknown import"
    status = 404


class UnknownPath(UsageError):
    """No exploration path of that id, or no such version of it."""

    code = "unknown-path"
    title = "Unknown path"
    status = 404


class PathConflict(UsageError):
    """A path was changed since the version that was read; ``version`` is the one that it has now.

    >>> PathConflict("the path was changed since version 3", 4).version
    4
    """

    code = "path-conflict"
    title = "Changed by somebody else"
    status = 412

    def __init__(self, detail: str, version: int) -> None:
        """One sentence, and the version that the path has now."""
        super().__init__(detail)
        self.version = version


class VersionRequired(UsageError):
    """A change of a path does not say which version of it was read."""

    code = "version-required"
    title = "Version required"
    status = 428


class UnknownSource(UsageError):
    """No source of that name is declared."""

    code = "unknown-source"
    title = "Unknown source"


class RemovalRefused(UsageError):
    """A harvest would remove more items than it may without being told to."""

    code = "removal-refused"
    title = "Too many items would be removed"


class HarvestError(KindredError):
    """A source of records cannot be harvested."""

    code = "harvest"
    title = "Source cannot be harvested"
    status = 502


class ForbiddenAddress(HarvestError):
    """An address that a harvest may not connect to."""

    code = "forbidden-address"
    title = "Address not allowed"


class SourceUnreachable(HarvestError):
    """A source gives no answer, or one with an error of HTTP."""

    code = "source-unreachable"
    title = "Source not reachable"


class ServerFault(SourceUnreachable):
    """A source answers one request with an error of its own (HTTP 500), time and again."""

    code = "server-fault"
    title = "Server of a source fails"


class BrokenAnswer(HarvestError):
    """What a source answers is no XML that can be read, or no OAI-PMH."""

    code = "broken-answer"
    title = "Broken answer"


class AnswerTooLarge(HarvestError):
    """An answer is larger than is allowed."""

    code = "answer-too-large"
    title = "Answer too large"


class SourceRefuses(HarvestError):
    """A source answers with an error of OAI-PMH; ``reason`` is the protocol's own word for it."""

    code = "source-refuses"
    title = "Source refuses"

    def __init__(self, detail: str, reason: str) -> None:
        """One sentence, and the code of the protocol."""
        super().__init__(detail)
        self.reason = reason


class HarvestIncomplete(HarvestError):
    """A harvest ended, but records of it are missing; the next one begins where this one began."""

    code = "harvest-incomplete"
    title = "Harvest incomplete"


class InputError(KindredError):
    """What was given to read is broken."""

    code = "input"
    title = "Broken input"
    status = 422


class UnreadableFile(InputError):
    """A file is missing, not of the promised format, or cut short."""

    code = "unreadable-file"
    title = "Unreadable file"


class RejectedRow(InputError):
    """One row makes no record; ``record_id`` is its id where that much could be read.

    >>> RejectedRow("no text in any of the six fields", "a:1").record_id
    'a:1'
    """

    code = "rejected-row"
    title = "Row rejected"

    def __init__(self, detail: str, record_id: str | None = None) -> None:
        """One sentence, and the row's id where it has one."""
        super().__init__(detail)
        self.record_id = record_id


class PairsError(InputError):
    """Typed-similarity pairs, texts or gold scores do not fit together."""

    code = "pairs"
    title = "Pairs do not fit together"


class ResourceMissing(KindredError):
    """Something has to be provided first; the sentence names the command."""

    code = "resource-missing"
    title = "Resource missing"
    status = 503


class LanguageModelError(ResourceMissing):
    """A language model is missing, damaged, or gives wrong answers."""

    code = "language-model"
    title = "Language model unusable"


class CollectionMissing(ResourceMissing):
    """No collection was built yet."""

    code = "collection-missing"
    title = "No collection"
    remedy = "kindred build"
    passing = True


class IndexMissing(ResourceMissing):
    """The cluster has no index to answer from, or one of another version."""

    code = "index-missing"
    title = "No index"
    remedy = "kindred index build"
    passing = True


class WeightsMissing(ResourceMissing):
    """A system that has to be trained has no weights."""

    code = "weights-missing"
    title = "System not trained"


class SchedulerMissing(ResourceMissing):
    """No Dask scheduler answers, or none that has workers with this Kindred."""

    code = "scheduler-missing"
    title = "Scheduler missing"


class WorkerLost(ResourceMissing):
    """A process of the analysis or the fit was ended from outside, mostly for want of memory."""

    code = "worker-lost"
    title = "Build interrupted"


class Overloaded(KindredError):
    """A limit of the service was reached; the same request may succeed later."""

    code = "overloaded"
    title = "Too much at the moment"
    status = 503
    retry_after = 5


class Busy(Overloaded):
    """More is asked at once than the service works on."""

    code = "busy"
    title = "Busy"


class TimedOut(Overloaded):
    """An answer took longer than the service works on one."""

    code = "timed-out"
    title = "Out of time"


class RateLimited(Overloaded):
    """One client asks more often than it may."""

    code = "rate-limited"
    title = "Too many requests"
    status = 429

    def __init__(self, detail: str, retry_after: int) -> None:
        """One sentence, and the seconds after which the client may ask again."""
        super().__init__(detail)
        self.retry_after = retry_after


class IndexUnavailable(KindredError):
    """The cluster that holds the index does not answer, or not in time; it is asked again by itself."""

    code = "index-unavailable"
    title = "Index not available"
    status = 503
    passing = True
    retry_after = 5


class IndexRefused(IndexUnavailable):
    """The cluster answers and refuses: wrong credentials, too few privileges, or an index without writes."""

    code = "index-refused"
    title = "Index refused"
    retry_after = 60


class UnusableAddress(KindredError):
    """The service cannot listen at the address that is configured."""

    code = "unusable-address"
    title = "Address not usable"


class StateError(KindredError):
    """What Kindred wrote itself is damaged, or cannot be written."""

    code = "state"
    title = "Damaged state"


class CatalogueError(StateError):
    """The catalogue cannot be opened or written."""

    code = "catalogue"
    title = "Catalogue unusable"


class KeysError(StateError):
    """The file of keys cannot be opened or written."""

    code = "keys"
    title = "Keys unusable"


class PathsError(StateError):
    """The file of the exploration paths cannot be opened or written."""

    code = "paths"
    title = "Paths unusable"


class FeedbackError(StateError):
    """The file of feedback cannot be opened or written."""

    code = "feedback"
    title = "Feedback unusable"


class DamagedArtefact(StateError):
    """A checksum, a version or a shape does not hold."""

    code = "damaged-artefact"
    title = "Damaged artefact"


class UnwritableState(StateError):
    """The system refuses to write a file of the state: a full disk, no right to write."""

    code = "unwritable-state"
    title = "State cannot be written"
