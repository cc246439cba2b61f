"""A curator's form on the page of two items: whether they are alike in one way."""

from fastapi import APIRouter, Depends, Response
from fastapi.responses import RedirectResponse

from service.web.access.clients import Curator
from service.web.api import feedback
from service.web.api.addresses import compare_path
from service.web.api.dependencies import Now, Until, takes_changes
from service.web.portal.path_editor import Sent

router = APIRouter(include_in_schema=False)


@router.post("/edit/feedback", dependencies=[Depends(takes_changes)])
def judge(sent: Sent, client: Curator, kept: feedback.FeedbackStore, now: Now, until: Until) -> Response:
    """Keep what was said, and go back to the two items."""
    pair, kind = (sent.text("left"), sent.text("right")), sent.text("type")
    feedback.judge(kept, now, pair, kind, sent.text("fits") == "yes", None, client.name, until)
    return RedirectResponse(f"{compare_path(*pair, kind)}&judged=1#judged", 303)
