"""The commands of a test, run as the main function runs them."""

import json
import sys
from typing import NamedTuple

import pytest

from service.cli import root as cli


class Answer(NamedTuple):
    status: int
    out: str
    err: str


class Kindred:
    """The command as its main function runs it, in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: str) -> Answer:
        self._monkeypatch.setattr(sys, "argv", ["kindred", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        written = self._capsys.readouterr()
        assert "Traceback" not in written.out + written.err
        status = ended.value.code
        return Answer(status if isinstance(status, int) else 0, written.out, written.err)

    def document(self, *arguments: str) -> dict[str, object]:
        answer = self(*arguments, "--json")
        assert (answer.status, answer.err) == (0, "")
        read: dict[str, object] = json.loads(answer.out)
        return read
