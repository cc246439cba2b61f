"""Whether the service lives, whether it can answer, and what it counts of itself."""

from typing import cast

from fastapi import Request, Response
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from pydantic import Field

from service.opening import absent_features
from service.web.api.declaring import Operations
from service.web.api.dependencies import Configured, Now
from service.web.api.schemas import Answer
from service.web.metrics import Metrics
from service.web.warming import WarmUp

router = Operations(tags=["health"])


class Alive(Answer):
    """The process answers."""

    status: str = Field(examples=["alive"])


class Ready(Answer):
    """The collection that is open, and the system that scores with it."""

    status: str = Field(examples=["ready"])
    items: int = Field(ge=1, description="items of the collection", examples=[234])
    revision: int = Field(ge=0, description="the catalogue's revision that the collection was built from")
    system: str = Field(description="the system that scores", examples=["linear"])
    stands_in_for: str | None = Field(
        description="the system that is wanted, where what it needs is absent; null: the one that scores"
    )
    approximate: str | None = Field(
        description="which neighbours may be missing, where only candidates are scored; null: none is"
    )
    missing: list[str] = Field(description="what that system lacks, and how to get it", examples=[[]])
    features: list[str] = Field(
        description="the features that the system uses", examples=[["all_tfidf", "years"]]
    )
    absent: list[str] = Field(
        description="features of service.system and service.also that the collection lacks", examples=[[]]
    )
    notice: str = Field(
        description="why an earlier collection answers; empty where it is the last built", examples=[""]
    )


@router.operation("GET /health/live", "Whether the process answers", "It does", limited=False)
async def get_live() -> Alive:
    """Says that the process runs; it needs no collection for that."""
    # async, so that it answers also while every worker thread is busy
    return Alive(status="alive")


@router.operation(
    "GET /health/ready",
    "Whether a collection is open",
    "It is; what it holds, and what is absent",
    limited=False,
)
def get_ready(request: Request, now: Now, configured: Configured) -> Ready:
    """Says what answers; 503 and what to do where nothing can answer yet.

    It is 503 as well until the language models are loaded, some seconds after the start.
    """
    warm_up = cast("WarmUp | None", request.app.state.warm_up)
    if warm_up is not None:
        warm_up.check()
    service, variant, manifest = configured.service, now.variant, now.collection.manifest
    return Ready(
        status="ready",
        items=len(now.collection),
        revision=manifest.revision,
        system=variant.system,
        stands_in_for=variant.stands_in_for,
        approximate=variant.approximate,
        missing=[f"{name}: {sentence}" for name, sentence in variant.missing.items()],
        features=list(now.system.features),
        absent=absent_features(configured, manifest, (service.system, *service.also)),
        notice=now.collection.notice,
    )


@router.operation(
    "GET /metrics",
    "What the service counts of itself",
    "Counters in Prometheus's text format",
    also={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    limited=False,
    response_class=Response,
)
def get_metrics(request: Request) -> Response:
    """Requests by route and status, how long they took, what is worked on, and what the collection holds.

    Of the collection: how many items, the generation and when it was built, and the live changes since.
    Everybody who reaches the service can read this: where that is too much, let the proxy in front of it keep
    /metrics to itself.
    """
    metrics = cast("Metrics", request.app.state.metrics)
    text = metrics.text(request.app.state.recommender)
    return Response(text, headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4, "Cache-Control": "no-store"})
