"""For search engines: robots.txt, and sitemaps in parts."""

from collections.abc import Iterable
from typing import Annotated, Final
from xml.sax.saxutils import escape

from fastapi import APIRouter, Path, Request, Response
from starlette.exceptions import HTTPException

from service.web.api.addresses import view_path
from service.web.api.dependencies import Configured, Now, PathStore, public_base

router = APIRouter(include_in_schema=False)

PART: Final = 10_000
"""Items of one sitemap; the protocol allows 50,000."""

_XML: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAPS: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
# nothing is lost there: they show what other pages have, in ever other arrangements
_ENDLESS: Final = (
    "/search",
    "/random",
    "/view/compare",
    "/edit/",
    "/login",
    "/items",
    "/similar",
    "/explain",
)


@router.get("/robots.txt")
def robots(request: Request, configured: Configured) -> Response:
    """What crawlers may read: pages of items and of paths; nothing where a key is needed to read."""
    closed = configured.service.reads != "everyone"
    rules = ["Disallow: /"] if closed else [f"Disallow: {path}" for path in _ENDLESS]
    rest = [] if closed else ["", f"Sitemap: {public_base(request, configured.service)}/sitemap.xml"]
    return Response("\n".join(["User-agent: *", *rules, *rest, ""]), media_type="text/plain")


@router.get("/sitemap.xml")
def sitemap_index(request: Request, configured: Configured, now: Now) -> Response:
    """The sitemaps: one of the pages of paths, and one of every ten thousand items."""
    base = public_base(request, configured.service)
    parts = range(1, -(-len(now.collection) // PART) + 1)
    names = ["paths", *(str(part) for part in parts)]
    return _xml("sitemapindex", "sitemap", (f"{base}/sitemap-{name}.xml" for name in names))


@router.get("/sitemap-paths.xml")
def sitemap_of_paths(request: Request, configured: Configured, paths: PathStore) -> Response:
    """The pages of the published paths, and the start page."""
    base = public_base(request, configured.service)
    views = ("/", "/view/paths", *(path.view for path in paths.all_published()))
    return _xml("urlset", "url", (f"{base}{view}" for view in views))


@router.get("/sitemap-{part}.xml")
def sitemap(
    request: Request, configured: Configured, now: Now, part: Annotated[int, Path(ge=1, le=10**6)]
) -> Response:
    """The pages of some items, in the order of the ids."""
    base, ids, first = public_base(request, configured.service), now.collection.ids, (part - 1) * PART
    rows = range(first, min(first + PART, len(ids)))
    if not rows:
        raise HTTPException(404)
    return _xml("urlset", "url", (f"{base}{view_path(ids[row])}" for row in rows))


def _xml(root: str, element: str, addresses: Iterable[str]) -> Response:
    lines = "".join(f"<{element}><loc>{escape(address)}</loc></{element}>\n" for address in addresses)
    text = f'{_XML}<{root} xmlns="{_SITEMAPS}">\n{lines}</{root}>\n'
    return Response(text, media_type="application/xml")
