"""The log on stderr: warnings and faults, and where wanted a line for every request, each with its id."""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

LogForm: TypeAlias = Literal["quiet", "text", "json"]  # what is logged, and how: see ``service.log``
# the id of the request that is worked on
REQUEST: Final[ContextVar[str | None]] = ContextVar("request", default=None)
REQUESTS: Final = logging.getLogger("kindred.requests")  # each request writes a line there
_ABOUT: Final = "kindred"  # the attribute of a log record that holds facts, by name


def about(**facts: str | float | None) -> dict[str, dict[str, str | float | None]]:
    """Facts for the ``extra`` of a line of the log."""
    return {_ABOUT: facts}


class TextFormatter(logging.Formatter):
    """Lines for people, without the time, which the supervisor of the service adds.

    >>> warning = logging.makeLogRecord({"msg": "no room", "levelname": "WARNING", "levelno": 30})
    >>> print(TextFormatter().format(warning))
    kindred: warning: no room
    """

    def format(self, record: logging.LogRecord) -> str:
        """One line, and the traceback of a fault below it."""
        level = "" if record.levelno <= logging.INFO else f"{record.levelname.lower()}: "
        facts: dict[str, object] = getattr(record, _ABOUT, {})
        words = [f"{name}={value}" for name, value in facts.items() if value is not None]
        if request := REQUEST.get():
            words.append(f"request={request}")
        line = " ".join([f"kindred: {level}{record.getMessage()}", *words])
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonFormatter(logging.Formatter):
    """Lines for programs: one JSON document each.

    >>> warning = logging.makeLogRecord({"msg": "no room", "levelname": "WARNING", "created": 0})
    >>> print(JsonFormatter().format(warning))
    {"time": "1970-01-01T00:00:00.000Z", "level": "warning", "message": "no room", "request": null}
    """

    def format(self, record: logging.LogRecord) -> str:
        """One line, the traceback of a fault in it."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        document: dict[str, object] = {
            "time": time.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            "request": REQUEST.get(),
            **getattr(record, _ABOUT, {}),
        }
        if record.exc_info:
            document["traceback"] = self.formatException(record.exc_info)
        return json.dumps(document, ensure_ascii=False)


def configure(form: LogForm) -> None:
    """Write this process's log to stderr in a form, and nowhere else."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("kindred").setLevel(logging.WARNING if form == "quiet" else logging.INFO)
