"""Webhooks: other systems are told that items changed, or that a collection was built, by signed requests.

A request says only that, and up to which revision; what changed stands in ``GET /changes``. So an event may
come twice or late, and several may come as one, but none is lost: for each address it is stored what was
delivered last, and what is not answered by 2xx is sent again. Requests are signed as Standard Webhooks 1.0
says (https://www.standardwebhooks.com), for which receivers find libraries in most languages.
"""

import base64
import binascii
import hmac
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

import httpx2
import msgspec

from ingest.catalogue import Catalogue
from ingest.errors import ConfigError, DamagedArtefact, KindredError, UsageError
from ingest.storage.files import locked, write_whole
from ingest.storage.folders import pointed
from ingest.storage.sealing import seal, unseal
from service.sections import WebhookSettings
from service.state import StateFolder

_LOG = logging.getLogger("kindred")
_PREFIX: Final = "whsec_"
_KEY_BYTES: Final = range(24, 65)
_PAUSE_S: Final = 2.0
_LONGEST_PAUSE_S: Final = 3600.0
_AFTER_TROUBLE_S: Final = 60.0
_PATIENCE_S: Final = 10.0
_LAST_S: Final = 5.0  # a thread that is writing while the process ends would end it in disorder
_BUSY: Final = "another process sends the webhooks"


class Delivered(msgspec.Struct, frozen=True):
    """What an address knows: the revision of the catalogue, and the generation of the collection."""

    revision: int = 0
    generation: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent, and what is delivered once it is answered.

    The id is the same whenever the same is sent again, so that a receiver can tell.
    """

    id: str
    body: bytes
    after: Delivered


def signature(key: bytes, message: str, seconds: int, body: bytes) -> str:
    """The header ``webhook-signature`` of a request, by its id, its time (seconds since 1970) and its body.

    >>> key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    >>> signature(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    signed = f"{message}.{seconds}.".encode() + body
    return f"v1,{base64.b64encode(hmac.digest(key, signed, 'sha256')).decode()}"


def key_of(webhook: WebhookSettings) -> bytes:
    """The key that requests to an address are signed with; raises ``ConfigError`` where its file has none."""
    where = f"the secret of the webhook to {_host(webhook.address)}"
    try:
        text = webhook.secret_file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{where} cannot be read from {webhook.secret_file}") from error
    key = b""
    with suppress(binascii.Error):
        key = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
    if not text.startswith(_PREFIX) or len(key) not in _KEY_BYTES:
        raise ConfigError(
            f"{where}, from {webhook.secret_file}, must be {_PREFIX} and the base64 of 24 to 64 random bytes;"
            f' one is made by: echo "{_PREFIX}$(openssl rand -base64 32)"'
        )
    return key


class _Receiver:
    """An address, and when it is tried next."""

    def __init__(self, webhook: WebhookSettings) -> None:
        self.address, self._key = webhook.address, key_of(webhook)
        try:
            httpx2.URL(self.address)
        except httpx2.InvalidURL as error:
            raise ConfigError(f"service.webhooks: {_host(self.address)} is no address: {error}") from error
        self._failures, self._due = 0, 0.0

    def is_due(self) -> bool:
        return monotonic() >= self._due

    def send(self, client: httpx2.Client, message: Message) -> bool:
        """Whether the message was answered by 2xx; where it was not, it is not due for a while."""
        seconds = int(datetime.now(UTC).timestamp())
        headers = {
            "Content-Type": "application/json",
            "webhook-id": message.id,
            "webhook-timestamp": str(seconds),
            "webhook-signature": signature(self._key, message.id, seconds, message.body),
        }
        try:
            with client.stream("POST", self.address, content=message.body, headers=headers) as answer:
                refused = "" if answer.is_success else f"it answers {answer.status_code}"
        except (httpx2.HTTPError, OSError) as error:
            refused = str(error) or type(error).__name__
        if refused:
            pause = min(_PAUSE_S * 2 ** min(self._failures, 20), _LONGEST_PAUSE_S)
            self._failures, self._due = self._failures + 1, monotonic() + pause
            host = _host(self.address)
            _LOG.warning("webhook to %s: %s; tried again in %.0f s at the earliest", host, refused, pause)
            return False
        self._failures = 0
        return True


class Webhooks:
    """Tells every address what is new, in a thread, until it is stopped; of several processes one does it.

    Raises ``ConfigError`` where a secret cannot be read.
    """

    def __init__(
        self, state: StateFolder, webhooks: Sequence[WebhookSettings], pause: float = _PAUSE_S
    ) -> None:
        self._state, self._pause = state, pause
        self._receivers = [_Receiver(webhook) for webhook in webhooks]
        self._ended = Event()
        self._thread = Thread(target=self._run, name="webhooks", daemon=True)

    def start(self) -> None:
        """Begin, where there is an address."""
        if self._receivers:
            self._thread.start()

    def stop(self) -> None:
        """Send nothing more, and wait a little for what is under way; the next process sends it again."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(_LAST_S)

    def _run(self) -> None:
        while not self._ended.wait(self._pause):
            try:
                with locked(self._state.directory / "webhooks.lock", _BUSY):
                    self._deliver_until_ended()
            except UsageError:
                continue
            except KindredError as error:
                _LOG.warning("webhooks: %s", error.detail)
                self._ended.wait(_AFTER_TROUBLE_S)

    def _deliver_until_ended(self) -> None:
        agent = {"User-Agent": f"kindred/{version('kindred')}"}
        with httpx2.Client(timeout=_PATIENCE_S, headers=agent, follow_redirects=False) as client:
            while not self._ended.wait(self._pause):
                now = _present(self._state)
                for receiver in filter(_Receiver.is_due, self._receivers):
                    self._deliver(client, receiver, now)

    def _deliver(self, client: httpx2.Client, receiver: _Receiver, now: Delivered) -> None:
        known = read(self._state.webhooks)
        for message in messages(known.get(receiver.address, Delivered()), now):
            if self._ended.is_set() or not receiver.send(client, message):
                return
            known = {**known, receiver.address: message.after}
            write_whole(self._state.webhooks, seal(msgspec.json.encode(known)))


def messages(before: Delivered, now: Delivered) -> Iterator[Message]:
    """What an address is still to be told.

    >>> told = Delivered(revision=7, generation="a")
    >>> [message.id for message in messages(told, Delivered(revision=9, generation="b"))]
    ['items-7-9', 'collection-b']
    >>> list(messages(told, told))
    []
    """
    if now.revision != before.revision:
        # a catalogue that was put back is of an earlier revision: all of it may be other than before
        since = before.revision if before.revision < now.revision else 0
        after = Delivered(now.revision, before.generation)
        name = f"items-{before.revision}-{now.revision}"
        yield _message("items.changed", name, after, {"since": since, "revision": now.revision})
    if now.generation != before.generation:
        name = f"collection-{now.generation}"
        yield _message("collection.built", name, now, {"generation": now.generation})


def _message(event: str, name: str, after: Delivered, data: Mapping[str, int | str]) -> Message:
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    return Message(name, msgspec.json.encode({"type": event, "timestamp": moment, "data": data}), after)


def _present(state: StateFolder) -> Delivered:
    if not state.catalogue.exists():
        return Delivered()
    with Catalogue(state.catalogue, read_only=True) as catalogue:
        return Delivered(catalogue.revision, pointed(state.collection) or "")


def read(path: Path) -> dict[str, Delivered]:
    """What was delivered, by the address; nothing where there is no file, or it is damaged.

    Then everybody is told of all items, which costs receivers a walk through the feed and loses nothing.
    """
    try:
        stored = unseal(path.read_bytes(), "what was delivered to webhooks", "it begins anew")
        return msgspec.json.decode(stored, type=dict[str, Delivered])
    except FileNotFoundError:
        return {}
    except (DamagedArtefact, msgspec.MsgspecError) as error:
        _LOG.warning("webhooks: %s begins anew: %s", path, error)
        return {}


def _host(address: str) -> str:
    return urlsplit(address).netloc.rpartition("@")[2]  # without what may be secret
