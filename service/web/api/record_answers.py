"""Makes the API's answers that show a record: whole, and in short.

Apart from the other answers, for `kindred item` opens no collection and waits for nothing that one needs.
"""

from collections.abc import Iterable

from features.text.dates.fields import dates_edtf
from ingest.record import INDEXED, Record, Value, web_address
from service.web.api import schemas
from service.web.api.addresses import item_path, similar_path, view_path


def item(record: Record) -> schemas.Item:
    """A whole item."""
    return schemas.Item(
        id=record.id,
        title=texts(record.title),
        creator=texts(record.creator),
        subject=texts(record.subject),
        description=texts(record.description),
        date=texts(record.date),
        edtf=dates_edtf(value.text for value in record.date),
        source=texts(record.source),
        type=record.type,
        image=web_address(record.image),
        landing_page=web_address(record.landing_page),
        rights=record.rights,
        provider=record.provider,
        modified=record.modified,
        href=item_path(record.id),
        similar=similar_path(record.id),
        view=view_path(record.id),
        **{part: texts(record.part(part)) for part in INDEXED},
    )


def summary(record: Record) -> schemas.Summary:
    """An item in short."""
    return schemas.Summary(
        id=record.id,
        title=record.label,
        creator=texts(record.creator),
        date=texts(record.date),
        image=web_address(record.image),
        landing_page=web_address(record.landing_page),
        href=item_path(record.id),
        view=view_path(record.id),
    )


def texts(values: Iterable[Value]) -> list[str]:
    """What the values of a field say."""
    return [value.text for value in values]
