"""Server-sent events: open a stream, and read its events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import httpx

from fracas.client.errors import problem_of
from fracas.client.transport import Transport

# The server comments an idle stream every 15 seconds.
STREAM_SECONDS = 45.0


def lines_of(transport: Transport, path: str, headers: Mapping[str, str]) -> Iterator[str]:
    """The lines of a stream, until the server ends it.

    Raises:
        ServerProblem: the server refused.
        httpx.TransportError: the connection was lost.
    """
    shown = {**transport.headers, "Accept": "text/event-stream", **headers}
    with transport.http.stream("GET", path, headers=shown, timeout=httpx.Timeout(STREAM_SECONDS)) as answer:
        if not answer.is_success:
            answer.read()
            raise problem_of(answer)
        yield from answer.iter_lines()


def parsed(lines: Iterator[str]) -> Iterator[tuple[int, str, Any]]:
    """The events in the lines of a stream: id, type and body."""
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
            continue
        if "data" in fields and "event" in fields:
            yield int(fields.get("id", "0")), fields["event"], json.loads(fields["data"])
        fields = {}
