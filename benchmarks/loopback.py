"""A server on the loopback interface that gives every request its canned response.

For packages that bring an HTTP client of their own. It runs as a process of its own, so that its CPU
time is nobody's.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks import canned

_HOST = "127.0.0.1"


class _Connection(asyncio.Protocol):
    """One kept-alive connection."""

    def __init__(self, responses: dict[str, bytes]) -> None:
        self._responses = responses
        self._received = b""
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            fields = dict(
                line.lower().split(b": ", 1) if b": " in line else (line.lower(), b"")
                for line in self._received[:end].split(b"\r\n")[1:]
            )
            size = end + 4 + int(fields.get(b"content-length", b"0"))
            if len(self._received) < size:
                return
            self._received = self._received[size:]
            target = canned.operation(fields[b"x-amz-target"])
            if self._transport is not None:
                self._transport.write(self._responses[target])


def _responses() -> dict[str, bytes]:
    found = {}
    for name, body in canned.bodies().items():
        head = "".join(
            f"{key}: {value}\r\n" for key, value in canned.headers(body).items()
        )
        found[name.lower()] = f"HTTP/1.1 200 OK\r\n{head}\r\n".encode() + body
    return found


async def _serve() -> None:
    responses = _responses()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(responses), _HOST, 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def server() -> Iterator[str]:
    """The URL of a running server."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.loopback"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield f"http://{_HOST}:{int(process.stdout.readline())}"
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    asyncio.run(_serve())
