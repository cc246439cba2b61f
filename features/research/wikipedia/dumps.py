"""Wikipedia from the official SQL dumps: the tables page, redirect, linktarget and pagelinks.

Only the main namespace is kept. The memory it takes is that of the titles of articles and redirects
(their bytes and 32 more each), 16 bytes for each page, and 16 for each link target that is a page;
links pass through in batches.
"""

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from features.arrays import Longs
from features.processes import batched
from features.research.wikipedia.dump import DumpTable, DumpValue
from features.research.wikipedia.phrases import places
from features.research.wikipedia.sources import BATCH, Pages, WikipediaSource
from features.research.wikipedia.titles import Titles

PAGE, REDIRECT, TARGET, LINKS = (
    f"*-{table}.sql.gz" for table in ("page", "redirect", "linktarget", "pagelinks")
)
_MAIN = b"0"


class DumpSource(WikipediaSource):
    """Reads articles in the order of the dump."""

    kind = "dumps"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._ids = np.empty(0, np.int64)
        self._order = np.empty(0, np.int64)

    @property
    def size(self) -> int:
        """The bytes that will be read."""
        return self.bytes_of(PAGE, REDIRECT, TARGET, LINKS, self.TEXTS, self.ANCHORS)

    def pages(self) -> Pages:
        """The pages of the main namespace; a redirect out of it, or to what is not there, leads nowhere."""
        titles, ids, redirects = Titles(), array("q"), array("b")
        wanted = ("page_id", "page_namespace", "page_title", "page_is_redirect")
        for number, namespace, title, redirect in self._table(PAGE, "page", wanted).rows():
            if namespace == _MAIN and number and title:
                titles.add(title)
                ids.append(int(number))
                redirects.append(redirect == b"1")
        known = np.array(ids, np.int64)
        self._order = np.argsort(known)
        self._ids = known[self._order]
        target = np.where(np.array(redirects, np.int8), -1, np.arange(len(titles)))
        for starts, aims in self._redirects(titles):
            here = (starts >= 0) & (aims >= 0)
            here[here] = target[starts[here]] < 0
            target[starts[here]] = aims[here]
        return Pages.of(titles, target)

    def links(self, pages: Pages) -> Iterator[tuple[Longs, Longs]]:
        """Every link between pages of the main namespace, one batch for each statement of the dump."""
        ids, aims = self._targets(pages.titles)
        wanted = ("pl_from", "pl_from_namespace", "pl_target_id")
        for rows in self._table(LINKS, "pagelinks", wanted).integers():
            main = rows[rows[:, 1] == 0]
            page = self._pages(main[:, 0])
            article = np.append(pages.article, -1)[page]
            # the links of a redirect page are its own, not those of the article it leads to
            own = (article >= 0) & (pages.own[article] == page)
            yield np.where(own, article, -1), _values(ids, aims, main[:, 2])

    def _targets(self, titles: Titles) -> tuple[Longs, Longs]:
        """The ids of link targets that are pages, ascending, and their pages."""
        ids, aims = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        table = self._table(TARGET, "linktarget", ("lt_id", "lt_namespace", "lt_title"))
        for batch in batched((row for row in table.rows() if row[1] == _MAIN), BATCH):
            pages = titles.find([title or b"" for _, _, title in batch])
            numbers = _numbers([number for number, _, _ in batch])
            ids.append(numbers[pages >= 0])
            aims.append(pages[pages >= 0])
        known = np.concatenate(ids)
        order = np.argsort(known)
        return known[order], np.concatenate(aims)[order]

    def _redirects(self, titles: Titles) -> Iterator[tuple[Longs, Longs]]:
        wanted = ("rd_from", "rd_namespace", "rd_title", "rd_interwiki")
        rows = self._table(REDIRECT, "redirect", wanted).rows()
        # an empty interwiki and NULL both mean this wiki
        here = ((start, title) for start, namespace, title, wiki in rows if namespace == _MAIN and not wiki)
        for batch in batched(here, BATCH):
            starts = self._pages(_numbers([start for start, _ in batch]))
            yield starts, titles.find([title or b"" for _, title in batch])

    def _pages(self, ids: Longs) -> Longs:
        return _values(self._ids, self._order, ids)

    def _table(self, pattern: str, name: str, columns: Sequence[str]) -> DumpTable:
        return DumpTable(self.open(pattern), name, columns)


def _numbers(fields: Sequence[DumpValue]) -> Longs:
    return np.array([int(field or 0) for field in fields], np.int64)


def _values(keys: Longs, values: Longs, wanted: Longs) -> Longs:
    """The value of each wanted key, -1 where it is not among the keys, which ascend."""
    return np.append(values, -1)[places(keys, wanted)]
