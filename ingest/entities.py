"""Addresses of things that authorities name: GeoNames, AAT, TGN, ULAN, Wikidata, VIAF, GND and others.

The same thing has one address here, however its record writes it.
"""

import re

_FORMS = (
    (re.compile(r"(?:\w+\.)?wikidata\.org/(?:wiki|entity)/(Q\d+)"), "http://www.wikidata.org/entity/{}"),
    (re.compile(r"(?:\w+\.)?geonames\.org/(\d+)"), "http://sws.geonames.org/{}"),
    (re.compile(r"vocab\.getty\.edu/(?:page/)?(aat|tgn|ulan)/(\d+)"), "http://vocab.getty.edu/{}/{}"),
    (
        re.compile(r"(?:www\.)?getty\.edu/vow/(AAT|TGN|ULAN)\w*\?.*subjectid=(\d+)"),
        "http://vocab.getty.edu/{}/{}",
    ),
    (re.compile(r"(?:www\.)?viaf\.org/viaf/(\d+)"), "http://viaf.org/viaf/{}"),
    (re.compile(r"d-nb\.info/gnd/([\dX-]+)"), "https://d-nb.info/gnd/{}"),
    (re.compile(r"(?:www\.)?iconclass\.org/(?:rkd/)?([^/?#]+)"), "http://iconclass.org/{}"),
)
_SHORT = (
    (re.compile(r"(?:wd:|wikidata:)?(Q\d{1,10})"), "http://www.wikidata.org/entity/{}"),
    (re.compile(r"(aat|tgn|ulan):(\d{6,})"), "http://vocab.getty.edu/{}/{}"),
    (re.compile(r"viaf:(\d+)"), "http://viaf.org/viaf/{}"),
    (re.compile(r"geonames:(\d+)"), "http://sws.geonames.org/{}"),
    (re.compile(r"gnd:([\dX-]+)"), "https://d-nb.info/gnd/{}"),
)


def address(text: str) -> str | None:
    """The one address of a thing; None where a text is no web address and no short form of one.

    >>> address("https://www.wikidata.org/wiki/Q182664"), address("wikidata:Q182664")
    ('http://www.wikidata.org/entity/Q182664', 'http://www.wikidata.org/entity/Q182664')
    >>> address("https://www.geonames.org/3164603/venice.html"), address("aat:300033618")
    ('http://sws.geonames.org/3164603', 'http://vocab.getty.edu/aat/300033618')
    >>> address("Venice") is None
    True
    """
    given = text.strip()
    for short, form in _SHORT:
        if match := short.fullmatch(given):
            return form.format(*match.groups())
    scheme, separated, rest = given.partition("://")
    if not separated or scheme.lower() not in ("http", "https") or not rest or len(given) > 2000:
        return None
    for known, form in _FORMS:
        if match := known.match(rest):
            return form.format(*(group.lower() if group.isalpha() else group for group in match.groups()))
    return f"{scheme.lower()}://{rest.rstrip('/')}" if " " not in rest else None
