"""The secret by which the processes of a sharded collection know each other."""

import hmac

from ingest.errors import ConfigError
from service.search.engines.sharded.settings import ShardedSettings

_SCHEME = "Bearer "


def secret_of(settings: ShardedSettings) -> str | None:
    """The secret in the file, None where none is named; raises ``ConfigError`` where it cannot be read."""
    if settings.secret_file is None:
        return None
    try:
        secret = settings.secret_file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"index.secret_file: {settings.secret_file} cannot be read: {error}") from error
    if not secret or not secret.isprintable() or " " in secret:
        raise ConfigError(
            f"index.secret_file: {settings.secret_file} must hold one line of ASCII without blanks; to make"
            " one: openssl rand -hex 32"
        )
    return secret


def headers(settings: ShardedSettings) -> dict[str, str]:
    """What a question has beside its body."""
    secret = secret_of(settings)
    return {"Authorization": f"{_SCHEME}{secret}"} if secret else {}


def is_known(secret: str | None, authorization: str) -> bool:
    """Whether a question comes with the secret, where there is one.

    >>> is_known("s", "Bearer s"), is_known("s", "Bearer t"), is_known("s", ""), is_known(None, "")
    (True, False, False, True)
    """
    return secret is None or hmac.compare_digest(authorization.encode(), f"{_SCHEME}{secret}".encode())
