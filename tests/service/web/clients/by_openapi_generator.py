"""Writes and reads with the package that OpenAPI Generator made: ``openapi_client`` on the path of Python.

Given the address of a service and a key; prints what it read as one JSON document.
"""

import json
import sys

from openapi_client import ApiClient, ChangesApi, Configuration, ItemsApi, SimilarityApi
from openapi_client.exceptions import NotFoundException
from openapi_client.models import (
    Creator,
    GivenRecord,
    ModelDate,
    ScoreRequest,
    SimilarityType,
    Subject,
    Title,
)

address, key = sys.argv[1:]
with ApiClient(Configuration(host=address, access_token=key)) as service:
    changes, items, similarity = ChangesApi(service), ItemsApi(service), SimilarityApi(service)
    changes.put_item("x:few", GivenRecord(title=Title("View of Venice")))
    changes.put_item(
        "x:many",
        GivenRecord(
            title=Title(["Boats"]),
            creator=Creator(["Ada", "Bea"]),
            subject=Subject("sea"),
            date=ModelDate("1740"),
        ),
    )
    near = similarity.list_similar("x:many", type=SimilarityType.TIME, limit=2)
    pair = similarity.score_pair(
        ScoreRequest(left=GivenRecord(id="x:few"), right=GivenRecord(title=Title("A view")))
    )
    read = {
        "few": items.get_item("x:few").to_dict(),
        "many": items.get_item("x:many").to_dict(),
        "similar": near.to_dict(),
        "scores": pair.scores.to_dict(),
    }
    try:
        items.get_item("none")
    except NotFoundException as error:
        read["missing"] = json.loads(error.body)["type"]
    read["deleted"] = [changes.delete_item_with_http_info(item).status_code for item in ("x:few", "x:many")]
sys.stdout.write(json.dumps(read))
