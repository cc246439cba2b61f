"""What the service counts of itself, for Prometheus to fetch."""

from typing import Annotated, cast

from fastapi import APIRouter, Query, Request, Response
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from service.web.api.problems import documented
from service.web.api.requests import NoQuery
from service.web.metrics import Metrics

router = APIRouter(tags=["health"])


@router.get(
    "/metrics",
    operation_id="getMetrics",
    summary="What the service counts of itself",
    response_description="Counters in Prometheus's text format",
    response_class=Response,
    responses={
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
        **documented(422, limited=False),
    },
)
def metrics(request: Request, _: Annotated[NoQuery, Query()]) -> Response:
    """Requests by route and status, how long they took, what is worked on, and what the collection holds.

    Of the collection: how many items, the generation and when it was built, and the live changes since.
    Everybody who reaches the service can read this: where that is too much, let the proxy in front of it keep
    /metrics to itself.
    """
    counted = cast("Metrics", request.app.state.metrics)
    text = counted.text(request.app.state.recommender)
    return Response(text, headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4, "Cache-Control": "no-store"})
