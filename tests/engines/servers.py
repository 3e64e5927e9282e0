"""Starts an engine on the loopback interface, and stops it."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from . import installed

_HOST = "127.0.0.1"
_PATIENCE = 60.0  # seconds


@contextmanager
def dynoxide() -> Iterator[str]:
    """The URL of a fresh dynoxide, which keeps its tables in memory."""
    port = _free_port()
    command = [str(installed.dynoxide()), "--host", _HOST, "--port", str(port)]
    with _server(command, port, {}) as url:
        yield url


@contextmanager
def ministack() -> Iterator[str]:
    """The URL of a fresh ministack."""
    port = _free_port()
    settings = {
        "BIND_HOST": _HOST,
        "GATEWAY_PORT": str(port),
        "IOT_MTLS_ENABLED": "0",
    }
    with _server([str(installed.ministack())], port, settings) as url:
        yield url


@contextmanager
def _server(
    command: Sequence[str], port: int, settings: Mapping[str, str]
) -> Iterator[str]:
    process = subprocess.Popen(
        command,
        env={**os.environ, **settings},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://{_HOST}:{port}"
    try:
        _wait(process, url)
        yield url
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], url: str) -> None:
    """Until the server answers, whatever it says. Raises RuntimeError if it does not."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"{process.args!r} does not answer")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        port: int = probe.getsockname()[1]
        return port
