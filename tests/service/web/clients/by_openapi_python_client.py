"""Writes and reads with the package that openapi-python-client made: ``client`` on the path of Python.

Given the address of a service and a key; prints what it read as one JSON document.
"""

import json
import sys

from client import AuthenticatedClient
from client.api.changes import delete_item, put_item
from client.api.items import get_item
from client.api.similarity import list_similar, score_pair
from client.models import GivenRecord, ScoreRequest, SimilarityType

address, key = sys.argv[1:]
service = AuthenticatedClient(base_url=address, token=key)
put_item.sync("x:few", client=service, body=GivenRecord(title="View of Venice"))
put_item.sync(
    "x:many",
    client=service,
    body=GivenRecord(title=["Boats"], creator=["Ada", "Bea"], subject="sea", date="1740"),
)
near = list_similar.sync("x:many", client=service, type_=SimilarityType.TIME, limit=2)
pair = score_pair.sync(
    client=service, body=ScoreRequest(left=GivenRecord(id="x:few"), right=GivenRecord(title="A view"))
)
sys.stdout.write(
    json.dumps(
        {
            "few": get_item.sync("x:few", client=service).to_dict(),
            "many": get_item.sync("x:many", client=service).to_dict(),
            "similar": near.to_dict(),
            "scores": pair.scores.to_dict(),
            "missing": get_item.sync("none", client=service).type_,
            "deleted": [
                delete_item.sync_detailed(item, client=service).status_code for item in ("x:few", "x:many")
            ],
        }
    )
)
