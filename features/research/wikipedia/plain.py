"""Wikipedia from plain files: titles with texts, and links by title.

``links.tsv.gz`` (from, to) is needed; ``articles.jsonl.gz`` (title, text), ``redirects.tsv.gz`` (from, to)
and ``anchors.tsv.gz`` (text, title, count) may be there. All tables are tab-separated UTF-8 without a head.
"""

from collections.abc import Iterator

import numpy as np

from features.arrays import Longs
from features.processes import batched
from features.research.wikipedia.sources import BATCH, Extras, Pages, SourceFiles, title_key
from features.research.wikipedia.titles import Titles

LINKS = "links.tsv.gz"
REDIRECTS = "redirects.tsv.gz"


class PlainSource:
    """Reads titles in the order of the articles, then of the links."""

    kind = "plain"

    def __init__(self, files: SourceFiles) -> None:
        self.files = files
        self.extras = Extras(files)

    @property
    def size(self) -> int:
        """The bytes that will be read: titles and texts, and titles and links, are read in two rounds."""
        return 2 * self.files.size(LINKS, Extras.TEXTS) + self.files.size(REDIRECTS, Extras.ANCHORS)

    def pages(self) -> Pages:
        """Articles are the titles that are no redirects."""
        redirects = self._redirects()
        titles, seen = Titles(), set[bytes]()
        for title in self._named():
            if title not in seen:
                seen.add(title)
                titles.add(title)
        ours = list(redirects)
        for title in ours:
            if title not in seen:
                titles.add(title)
        target = np.arange(len(titles))
        if ours:
            target[titles.find(ours)] = titles.find([redirects[title] for title in ours])
        return Pages.of(titles, target)

    def links(self, pages: Pages) -> Iterator[tuple[Longs, Longs]]:
        """Every row of the links."""
        for batch in batched(self.files.rows(LINKS, 2), BATCH):
            aims = pages.titles.find([title_key(aim) for _, aim in batch])
            yield pages.find(start for start, _ in batch), aims

    def _named(self) -> Iterator[bytes]:
        for article in self.extras.articles():
            yield title_key(article.title)
        for row in self.files.rows(LINKS, 2):
            yield from map(title_key, row)

    def _redirects(self) -> dict[bytes, bytes]:
        if not self.files.has(REDIRECTS):
            return {}
        return {title_key(start): title_key(aim) for start, aim in self.files.rows(REDIRECTS, 2)}
