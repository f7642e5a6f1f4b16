"""What a server refuses, and what keeps a server from answering."""

from __future__ import annotations

from typing import Any

import httpx


class ConnectionFailed(Exception):
    """The server did not answer, or not in time."""


class ServerProblem(Exception):
    """An answer that refuses: a problem of RFC 9457."""

    def __init__(self, status: int, kind: str, detail: str, body: dict[str, Any], retry_after: float | None) -> None:
        super().__init__(detail)
        self.status = status
        """The HTTP status."""
        self.kind = kind
        """The last part of the problem's type, such as `conflict`."""
        self.detail = detail
        self.problems: list[dict[str, Any]] = list(body.get("problems") or [])
        """Everything that is wrong with the request: `where`, `message`, `suggestion`."""
        self.request_id: str | None = body.get("request_id")
        """What the server's log knows the request by."""
        self.retry_after = retry_after
        """Seconds to wait before asking again; None if waiting does not help."""

    def __str__(self) -> str:
        lines = [f"{self.status} {self.kind}: {self.detail}"]
        for each in self.problems:
            suggestion = f" ({each['suggestion']})" if each.get("suggestion") else ""
            lines.append(f"  {each.get('where', '')}: {each.get('message', '')}{suggestion}")
        return "\n".join(lines)


def problem_of(answer: httpx.Response) -> ServerProblem:
    """The problem in an answer; proxies in between may answer something else."""
    try:
        body = answer.json()
    except ValueError:
        body = {}
    if not isinstance(body, dict):
        body = {}
    kind = str(body.get("type", "")).rpartition("/")[2] or "http"
    detail = str(body.get("detail") or answer.reason_phrase or "The server refused.")
    return ServerProblem(answer.status_code, kind, detail, body, wait_of(answer))


def wait_of(answer: httpx.Response) -> float | None:
    """The seconds in Retry-After; None if there are none."""
    text = answer.headers.get("retry-after", "")
    return float(text) if text.isdecimal() else None
