"""How far the harvest of a source has come: small, and written with every page."""

import msgspec

from ingest.oai.dates import Slice


class Counts(msgspec.Struct):
    """What a harvest has done so far; a record that comes twice counts once more under ``read``."""

    pages: int = 0
    read: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    rejected: int = 0


class Progress(msgspec.Struct):
    """Where a harvest stands; with it any later process goes on."""

    about: str
    """Digest of what is harvested and how: another one begins anew."""
    stage: str = "done"
    """records, identifiers, removal, done."""
    window: Slice = Slice()
    """What this harvest asks for."""
    covers: bool = True
    """Whether the next harvest may begin where this one began."""
    started: str = ""
    """The server's clock when it began."""
    since: str | None = None
    """Where the next harvest begins; None: at the beginning."""
    granularity: str = ""
    deleted: str = ""
    """How the server tells of deleted records: no, transient, persistent."""
    earliest: str = ""
    slices: list[Slice] = []
    """What is still to be asked for; the first is under way."""
    token: str | None = None
    number: int = 0
    """Number of the list that is being read; every question without a token begins one."""
    first: int = 0
    """Number of this harvest's first list."""
    listed: int = 0
    """Different records in this list so far."""
    size: int | None = None
    """How long the source says this list is."""
    repeats: int = 0
    """Pages in a row that held nothing new of this list."""
    after: str = ""
    """The identifier that was last looked at in the removal."""
    counts: Counts = msgspec.field(default_factory=Counts)
    faults: tuple[str, ...] = ()
    """What was wrong with the source, a sentence each."""
    restarts: int = 0
    """How often the list of a slice that cannot be halved was begun again."""
    short: bool = False
    """Whether a list of this stage was shorter than announced, or went in a circle."""
    doubtful: bool = False
    """Whether a list of the records was."""
    whole: bool = True
    """Whether nothing is missing, as far as the source's lists tell."""
    finished: str | None = None
    """When the last harvest ended, by our own clock."""

    def begin_list(self) -> None:
        """Begin to read another list."""
        self.token, self.listed, self.size, self.repeats = None, 0, None, 0
        self.number += 1

    def fault(self, sentence: str) -> None:
        """Note what is wrong with the source; of very many the first."""
        if sentence not in self.faults and len(self.faults) < 100:
            self.faults = (*self.faults, sentence)
