"""Wikipedia from plain files: titles with texts, and links by title.

``links.tsv.gz`` (from, to) is needed; ``articles.jsonl.gz`` (title, text), ``redirects.tsv.gz`` (from, to)
and ``anchors.tsv.gz`` (text, title, count) may be there. All tables are tab-separated UTF-8 without a head.
"""

from collections.abc import Iterator
from itertools import chain

import numpy as np

from features.arrays import Longs
from features.processes import batched
from features.research.wikipedia.sources import BATCH, Pages, Titles, WikipediaSource, title_key

LINKS = "links.tsv.gz"
REDIRECTS = "redirects.tsv.gz"


class PlainSource(WikipediaSource):
    """Reads titles in the order of the articles, then of the links."""

    kind = "plain"

    @property
    def size(self) -> int:
        """The bytes that will be read: titles and texts, and titles and links, are read in two rounds."""
        return 2 * self.bytes_of(LINKS, self.TEXTS) + self.bytes_of(REDIRECTS, self.ANCHORS)

    def pages(self) -> Pages:
        """Articles are the titles that are no redirects."""
        rows = self.rows(REDIRECTS, 2) if self.has(REDIRECTS) else ()
        redirects = {title_key(start): title_key(aim) for start, aim in rows}
        titles, seen = Titles(), set[bytes]()
        for title in chain(self._named(), redirects):
            if title not in seen:
                seen.add(title)
                titles.add(title)
        target = np.arange(len(titles))
        if redirects:
            target[titles.find([*redirects])] = titles.find([*redirects.values()])
        return Pages.of(titles, target)

    def links(self, pages: Pages) -> Iterator[tuple[Longs, Longs]]:
        """Every row of the links."""
        for batch in batched(self.rows(LINKS, 2), BATCH):
            aims = pages.titles.find([title_key(aim) for _, aim in batch])
            yield pages.find(start for start, _ in batch), aims

    def _named(self) -> Iterator[bytes]:
        for article in self.articles():
            yield title_key(article.title)
        for row in self.rows(LINKS, 2):
            yield from map(title_key, row)
