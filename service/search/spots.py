"""Where an item is on the map: the places that it names and whose coordinates are known."""

import numpy as np

from features.collection.collection import Collection
from features.measures.places import PlacesColumn, PlacesSettings
from features.text.places.coordinates import Spot


def places_column(collection: Collection) -> PlacesColumn | None:
    """The column of all places that items name, else of whichever are compared; None where none are."""
    columns = {
        settings.which: collection.columns[name]
        for name, settings in collection.manifest.features.items()
        if isinstance(settings, PlacesSettings)
    }
    column = columns.get("either") or next(iter(columns.values()), None)
    return column if isinstance(column, PlacesColumn) else None


def spots(collection: Collection, column: PlacesColumn, item: str) -> list[Spot]:
    """The places of an item, the first that it names first."""
    row = collection.row(item)
    if (stored := collection.stored_row(row)) is not None:
        return column.spots(None, stored)
    return column.spots(collection.block(np.array([row])), 0)
