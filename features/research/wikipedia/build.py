"""Builds Wikipedia: a source to arrays on disk, in bounded memory, whole or not at all."""

from pathlib import Path

import numpy as np

from features.arrays import Longs, NewArrays
from features.research.wikipedia.dumps import PAGE, DumpSource
from features.research.wikipedia.links import Links
from features.research.wikipedia.plain import LINKS, PlainSource
from features.research.wikipedia.sources import Pages, ReadAdvance, WikipediaSource
from features.research.wikipedia.store import Wikipedia, WikipediaManifest, open_wikipedia, whole
from features.research.wikipedia.surfaces import Surfaces
from features.research.wikipedia.texts import Lemmatise, TextCounts
from ingest.errors import UnreadableFile
from ingest.storage.files import mark
from ingest.storage.folders import aside, switch


def open_source(folder: Path) -> WikipediaSource:
    """The dumps or plain files in a folder; raises ``UnreadableFile`` where it holds neither."""
    if any(folder.glob(PAGE)):
        return DumpSource(folder)
    if any(folder.glob(LINKS)):
        return PlainSource(folder)
    raise UnreadableFile(f"{folder} holds neither dumps ({PAGE} and others) nor plain files ({LINKS})")


def build(
    source: WikipediaSource, root: Path, lemmatise: Lemmatise, advance: ReadAdvance = lambda _: None
) -> Wikipedia:
    """Read the source and make what it holds the Wikipedia under ``root``, in place of the one before.

    ``advance`` is called with the bytes read since the last call, ``source.size`` in all. Raises
    ``UnreadableFile``; what was there before then stays.
    """
    source.advance = advance
    with aside(root) as folder:
        pages = source.pages()
        if not len(pages.own):
            raise UnreadableFile("the files name no article")
        named, links = _links(source, pages, folder)
        surfaces = Surfaces()
        surfaces.add_pages(pages, named)
        for text, article, times in source.anchors(pages):
            surfaces.add(text, article, float(times))
        arrays = surfaces.arrays()
        documents = _count_texts(source, pages, folder, arrays, lemmatise)
        for name, array in (arrays | _titles(pages)).items():
            np.save(folder / f"{name}.npy", array)
        manifest = WikipediaManifest(
            kind=source.kind,
            articles=len(pages.own),
            redirects=int((pages.article >= 0).sum()) - len(pages.own),
            links=links,
            surfaces=len(arrays["surfaces"]),
            documents=documents,
            sources=source.digests,
            files={path.name: mark(path) for path in sorted(folder.iterdir())},
        )
        switch(root, folder, manifest.model_dump_json(indent=1).encode(), whole)
    return open_wikipedia(root)


def _links(source: WikipediaSource, pages: Pages, folder: Path) -> tuple[Longs, int]:
    """Write the links; gives how many name each page, and how many there are."""
    links = Links(folder, len(pages.own))
    named = np.zeros(len(pages.titles), np.int64)
    for starts, aims in source.links(pages):
        known = (starts >= 0) & (aims >= 0)
        named += np.bincount(aims[known], minlength=len(named))
        links.add(starts[known], pages.article[aims[known]])
    return named, links.write()


def _count_texts(
    source: WikipediaSource, pages: Pages, folder: Path, arrays: NewArrays, lemmatise: Lemmatise
) -> int:
    """Add what the texts tell to the arrays; gives the number of texts."""
    starts = np.load(folder / "links-starts.npy")
    links = np.load(folder / "links.npy", mmap_mode="r")
    counts = TextCounts(folder, arrays, lambda article: links[starts[article] : starts[article + 1]])
    documents = counts.read(source.texts(pages))
    arrays |= counts.arrays(lemmatise)
    return documents


def _titles(pages: Pages) -> NewArrays:
    blob, ends = bytearray(), np.empty(len(pages.own), np.int64)
    for article, page in enumerate(pages.own.tolist()):
        blob += pages.titles[page].replace(b"_", b" ")
        ends[article] = len(blob)
    return {"titles": np.frombuffer(bytes(blob), np.uint8), "titles-ends": ends}
