"""nginx by the example of ``deploy``, before a service of this machine."""

import os
import shlex
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPSConnection
from pathlib import Path
from typing import Final

from bench.served import free_port

EXAMPLE: Final = Path(__file__).parents[1] / "deploy" / "nginx.conf"
NGINX: Final = shutil.which("nginx")
_FOLDERS: Final = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def connection(port: int, timeout: float) -> HTTPSConnection:
    """A connection to the proxy at a port, whose certificate nobody signed."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    return HTTPSConnection("127.0.0.1", port, timeout=timeout, context=trusting)


@contextmanager
def proxied(folder: Path, service: int, changes: Mapping[str, str]) -> Iterator[int]:
    """The port of a proxy before the service at another, until the block ends.

    The example is run with a certificate of its own and folders below ``folder``; ``changes`` replaces
    further texts of it. Raises ``ValueError`` where one of them does not stand in it, and
    ``RuntimeError`` where nginx does not start.
    """
    certificate, key, port = folder / "certificate.pem", folder / "key.pem", free_port()
    made = shlex.split("openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost")
    subprocess.run([*made, "-out", certificate, "-keyout", key], check=True, capture_output=True)
    example = EXAMPLE.read_text("utf-8")
    own = {
        "127.0.0.1:8000": f"127.0.0.1:{service}",
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "/etc/kindred/certificate.pem": str(certificate),
        "/etc/kindred/key.pem": str(key),
        "/var/lib/nginx/kindred": str(folder / "answers"),
    }
    for text, other in (own | dict(changes)).items():
        if text not in example:
            raise ValueError(f"{EXAMPLE.name} has no {text!r}")
        example = example.replace(text, other)
    paths = "".join(f"{name}_temp_path {folder}/{name};\n" for name in _FOLDERS)
    whole = folder / "nginx.conf"
    # nginx that root starts would be another user, who may not read this folder
    user = "" if os.geteuid() else "user root; "
    whole.write_text(
        f"{user}daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_rlimit_nofile 8192;\n"
        f"events {{ worker_connections 4096; }}\nhttp {{ access_log off;\n{paths}{example}\n}}\n"
    )
    nginx = subprocess.Popen([str(NGINX), "-c", str(whole), "-p", str(folder)])
    try:
        while not _listens(port):
            if nginx.poll() is not None:
                raise RuntimeError(f"nginx ended with status {nginx.returncode}; it says why on stderr")
            time.sleep(0.05)
        yield port
    finally:
        nginx.terminate()
        nginx.wait()


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return False
    return True
