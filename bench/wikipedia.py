"""Building Wikipedia and linking to it: ``python -m bench.wikipedia FOLDER STATE [PAGES LINKS]``.

Builds Wikipedia from the plain files in FOLDER, then from dumps of PAGES pages and LINKS links that are
made up for it (200,000 and 5,000,000), each in a process of its own, so that its memory is its own. Then
links the items of the collection in STATE, and compares some with all by their link vectors.
"""

import gzip
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.tables import publish

SEED = 20130613
QUERIES = 200


def main(folder: Path, state: Path, pages: int, links: int) -> None:
    """Measure and publish."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        dumps = work / "dumps"
        dumps.mkdir()
        _write_dumps(dumps, pages, links)
        rows = [_apart(_build, source, work / kind) for kind, source in (("plain", folder), ("dumps", dumps))]
        used = _apart(_use, work / "plain", state)
    publish("wikipedia", rows, **used)


def _build(source: Path, state: Path) -> dict[str, object]:
    from features.research.wikipedia.build import build, open_source
    from features.research.wikipedia.store import open_wikipedia
    from features.text.language import ENGLISH, Language

    started = time.perf_counter()
    opened = open_source(source)
    language = Language(ENGLISH) if opened.kind == "plain" else None

    def lemmas(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
        for analysis in language.analyse(list(texts)) if language else ():
            yield from ((word.form.lower(), word.lemma.lower()) for word in analysis.words)

    manifest = build(opened, state / "wikipedia", lemmas).manifest
    seconds = time.perf_counter() - started
    started = time.perf_counter()
    open_wikipedia(state / "wikipedia")
    return {
        "from": manifest.kind,
        "articles": manifest.articles,
        "links": manifest.links,
        "surfaces": manifest.surfaces,
        "texts": manifest.documents,
        "seconds": round(seconds, 1),
        "cpu_seconds": round(time.process_time(), 1),
        "mib_on_disk": round(sum(known.bytes for known in manifest.files.values()) / 2**20, 1),
        "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "open_ms": round((time.perf_counter() - started) * 1000, 1),
    }


def _use(wikipedia: Path, state: Path) -> dict[str, object]:
    from features.collection.collection import Built
    from features.knowledge.resources import Resources, ResourceSettings
    from features.profiles.blocks import SIZE, Block, Lexicon
    from features.research.measures.link_vectors import LinkVectorsSettings

    resources = Resources(ResourceSettings(), wikipedia)
    collection = Built.open(state / "collection", Resources(ResourceSettings(), state))
    settings = LinkVectorsSettings(measure="link_vectors")
    builder = settings.builder(resources)
    linked, lexicon = 0.0, Lexicon()
    for first in range(0, len(collection), SIZE):
        some = [collection.profile(row) for row in range(first, min(first + SIZE, len(collection)))]
        started = time.process_time()
        resources.linker.links(some)
        linked += time.process_time() - started
        builder.take(Block(some, lexicon))
    arrays = builder.arrays()
    column = settings.column(arrays, resources, {})
    rows = np.random.default_rng(SEED).integers(0, len(collection), QUERIES)
    column.compare(column.table.row(0), column.table)
    runs = []
    for row in rows.tolist():
        started = time.perf_counter()
        column.compare(column.table.row(row), column.table)
        runs.append((time.perf_counter() - started) * 1000)
    return {
        "items": len(collection),
        "link_cpu_ms_an_item": round(linked * 1000 / len(collection), 3),
        "items_with_an_article_percent": round(float((np.diff(arrays["indptr"]) > 0).mean()) * 100, 1),
        "articles_an_item": round(len(arrays["places"]) / len(collection), 2),
        "compare_p50_ms": round(float(np.percentile(runs, 50)), 1),
        "compare_p99_ms": round(float(np.percentile(runs, 99)), 1),
        "column_mib": round(sum(array.nbytes for array in arrays.values()) / 2**20, 2),
    }


def _write_dumps(folder: Path, pages: int, links: int) -> None:
    """Dumps in which three pages of five are redirects, and a few pages get most of the links."""
    rng = np.random.default_rng(SEED)
    redirect = rng.random(pages) < 0.6
    words = np.array(
        [f"{a}{b}{c}" for a in "BDFGKLM" for b in ("a", "e", "io") for c in ("n", "rt", "ss", "ld")]
    )
    names = ["_".join(each) for each in words[rng.integers(0, len(words), (pages, 2))]]
    titles = [f"{name}_{number}" for number, name in enumerate(names)]
    articles = np.flatnonzero(~redirect)
    _write(
        folder / "toywiki-page.sql.gz",
        "page",
        ("page_id", "page_namespace", "page_title", "page_is_redirect", "page_random", "page_lang"),
        (f"({n + 1},0,'{title}',{int(redirect[n])},0.{n},NULL)" for n, title in enumerate(titles)),
    )
    aims = articles[rng.integers(0, len(articles), pages)]
    _write(
        folder / "toywiki-redirect.sql.gz",
        "redirect",
        ("rd_from", "rd_namespace", "rd_title", "rd_interwiki", "rd_fragment"),
        (f"({n + 1},0,'{titles[aims[n]]}','','')" for n in np.flatnonzero(redirect).tolist()),
    )
    _write(
        folder / "toywiki-linktarget.sql.gz",
        "linktarget",
        ("lt_id", "lt_namespace", "lt_title"),
        (f"({n + 7},0,'{title}')" for n, title in enumerate(titles)),
    )
    targets = np.minimum((pages * rng.random(links) ** 3).astype(np.int64), pages - 1)
    starts = articles[np.sort(rng.integers(0, len(articles), links))]
    _write(
        folder / "toywiki-pagelinks.sql.gz",
        "pagelinks",
        ("pl_from", "pl_from_namespace", "pl_target_id"),
        (f"({a + 1},0,{b + 7})" for a, b in zip(starts.tolist(), targets.tolist(), strict=True)),
    )


def _write(path: Path, table: str, columns: tuple[str, ...], rows: Iterator[str]) -> None:
    """Some 30,000 rows a statement: the megabyte that mysqldump puts on a line."""
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        file.write(
            f"CREATE TABLE `{table}` (\n" + ",\n".join(f"  `{column}` x" for column in columns) + "\n);\n"
        )
        batch: list[str] = []
        for row in rows:
            batch.append(row)
            if len(batch) == 30_000:
                _insert(file.write, table, batch)
                batch = []
        if batch:
            _insert(file.write, table, batch)


def _insert(write: Callable[[str], int], table: str, rows: list[str]) -> None:
    write(" ".join(("INSERT INTO", f"`{table}`", "VALUES", ",".join(rows))) + ";\n")


def _apart(work: Callable[[Path, Path], dict[str, object]], *arguments: Path) -> dict[str, object]:
    """What a function gives in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


if __name__ == "__main__":
    sizes = [int(size) for size in sys.argv[3:5]] or [200_000, 5_000_000]
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sizes)
