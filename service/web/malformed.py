"""What is no HTTP request is answered like every other failure: by a problem document."""

from http import HTTPStatus
from typing import Final
from uuid import uuid4

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from service.web.api.problems import MEDIA_TYPE, NOT_HTTP

_DETAIL: Final = "this is no request of HTTP/1.1; send one, with every character of the address encoded"


class ProblemProtocol(H11Protocol):
    """uvicorn's protocol over h11, with an answer of ours to what h11 cannot read."""

    def send_400_response(self, msg: str) -> None:
        """Answer, and close the connection."""
        problem = NOT_HTTP.problem(_DETAIL, "/", uuid4().hex).model_dump_json().encode()
        headers = [
            ("content-type", MEDIA_TYPE),
            ("content-length", str(len(problem))),
            ("connection", "close"),
        ]
        status = HTTPStatus.BAD_REQUEST
        for event in (
            h11.Response(status_code=status, headers=headers, reason=status.phrase),
            h11.Data(data=problem),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
