"""Whether the service lives, and whether it can answer."""

from typing import Annotated

from fastapi import APIRouter, Query

from service.opening import absent_features
from service.web.api.dependencies import Configured, Now
from service.web.api.problems import documented
from service.web.api.requests import NoQuery
from service.web.api.schemas import Alive, Ready

router = APIRouter(prefix="/health", tags=["health"])


@router.get(
    "/live",
    operation_id="getLive",
    summary="Whether the process answers",
    response_description="It does",
    responses=documented(422, limited=False),
)
async def live(_: Annotated[NoQuery, Query()]) -> Alive:
    """Says that the process runs; it needs no collection for that."""
    # async, so that it answers also while every worker thread is busy
    return Alive(status="alive")


@router.get(
    "/ready",
    operation_id="getReady",
    summary="Whether a collection is open",
    response_description="It is; what it holds, and what is absent",
    responses=documented(422, limited=False),
)
def ready(_: Annotated[NoQuery, Query()], now: Now, configured: Configured) -> Ready:
    """Says what answers; 503 and what to do where nothing can answer yet."""
    service = configured.service
    return Ready(
        status="ready",
        items=len(now.collection),
        revision=now.collection.manifest.revision,
        system=now.variant.system,
        stands_in_for=now.variant.stands_in_for,
        approximate=now.variant.approximate,
        missing=[f"{name}: {sentence}" for name, sentence in now.variant.missing.items()],
        features=list(now.system.features),
        absent=absent_features(configured, now.collection.manifest, (service.system, *service.also)),
        notice=now.collection.notice,
    )
