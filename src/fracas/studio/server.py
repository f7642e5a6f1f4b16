"""The studio's server: a few addresses on the loopback interface, for the page that holds the cookie.

Only listed files are served, so that no address leads anywhere else. Questions are POST requests with JSON; they need
the cookie and the header Origin. Odds come as one line of JSON after another. Pages of battles carry their own policy.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from typing import Any

from fracas.errors import FaultError, FracasError, InputError
from fracas.files.read import parse_json
from fracas.studio.access import Access, new_nonce
from fracas.studio.assets import assets, studio_page
from fracas.studio.file import ChangedBelowError
from fracas.studio.jobs import JobStoppedError
from fracas.studio.questions import Questions
from fracas.web.page import page_of

# Two drafts in JSON, in which every character may be escaped.
LARGEST_QUESTION = 4 * 1024 * 1024
MOST_KEYS = 10_000
# Requests at the same time; browsers send six.
MOST_REQUESTS = 32
# A connection that says nothing for so long is closed.
PATIENCE = 30
JSON = "application/json"
_BATTLE = re.compile(r"/battles/([0-9a-f]{32})/([0-9]{1,18})")
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_NOT_YOURS = "This page belongs to whoever started the studio. Open the address that fracas studio printed."


def policy(nonce: str) -> str:
    """What the studio's page may do: its own scripts and styles, WebAssembly, requests to its own address."""
    return (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
        f"style-src 'self' 'nonce-{nonce}'; connect-src 'self'; img-src 'self' data:; worker-src blob:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class StudioServer(ThreadingHTTPServer):
    """Serves one studio until it is closed."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = False

    def __init__(self, questions: Questions, port: int = 0) -> None:
        """Listen on the loopback interface, at any free port unless one is given.

        Raises:
            InputError: the port is in use, or not allowed.
        """
        self.questions = questions
        try:
            super().__init__(("127.0.0.1", port), _Handler)
        except OSError as error:
            raise InputError.of("--port", f"{port} cannot be used: {error.strerror or error}") from None
        self.access = Access(self.server_port)
        self.room = threading.BoundedSemaphore(MOST_REQUESTS)

    @property
    def address(self) -> str:
        """Where the page is, without the token."""
        return f"http://127.0.0.1:{self.server_port}/"

    @property
    def link(self) -> str:
        """The address to open, once: the token stands in the fragment, which browsers do not send."""
        return f"{self.address}#token={self.access.token}"

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, unless too many are busy."""
        if not self.room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, then make room."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore broken connections."""

    def server_close(self) -> None:
        """Stop all computations, and stop listening."""
        self.questions.jobs.close()
        super().server_close()


class _Handler(BaseHTTPRequestHandler):
    server: StudioServer
    server_version = "fracas-studio"
    sys_version = ""
    timeout = PATIENCE

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet: the terminal belongs to the user."""

    def do_GET(self) -> None:
        """Answer with the page, one of its files, or a battle."""
        if not self.server.access.is_own_host(self.headers.get("Host")):
            self._refuse(421, "This address is not the studio's.")
            return
        path = self.path.partition("?")[0]
        battle = _BATTLE.fullmatch(path)
        if path == "/":
            nonce = new_nonce()
            self._send(200, "text/html; charset=utf-8", studio_page(nonce), {"Content-Security-Policy": policy(nonce)})
        elif path in assets():
            kind, content = assets()[path]
            self._send(200, kind, content, {"Cache-Control": "no-cache"})
        elif battle is None:
            self._refuse(404, "There is nothing here.")
        elif not self.server.access.has_cookie(self.headers.get("Cookie")):
            self._refuse(403, _NOT_YOURS)
        else:
            self._guarded(lambda: self._battle(battle[1], int(battle[2])))

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        """Answer a question."""
        access, host = self.server.access, self.headers.get("Host")
        name = self.path.removeprefix("/api/")
        if not access.is_own_host(host):
            self._refuse(421, "This address is not the studio's.")
        elif not access.is_own_origin(self.headers.get("Origin"), host):
            self._refuse(403, "Only the studio's own page may ask.")
        elif self.headers.get_content_type() != JSON:
            self._refuse(415, "Questions are JSON.")
        elif name != "session" and not access.has_cookie(self.headers.get("Cookie")):
            self._refuse(403, _NOT_YOURS)
        else:
            self._guarded(lambda: self._answer(name))

    def _answer(self, name: str) -> None:
        asked = self._question()
        if asked is None:
            return
        if name == "session":
            self._session(asked)
        elif name == "odds":
            self._lines(self.server.questions.odds(asked))
        elif name in self.server.questions.answered:
            self._json(200, self.server.questions.answered[name](asked))
        else:
            self._refuse(404, "There is no such question.")

    def _question(self) -> Mapping[str, Any] | None:
        """The body of a request; None after a refusal."""
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdecimal() or len(length) > 12:
            self._refuse(411, "A question says how long it is.")
            return None
        if int(length) > LARGEST_QUESTION:
            self._refuse(413, f"A question is at most {LARGEST_QUESTION:,} bytes long.")
            return None
        body = self.rfile.read(int(length))
        try:
            asked = parse_json(body.decode(), "question", most_keys=MOST_KEYS)
        except UnicodeDecodeError:
            raise InputError.of("question", "is not UTF-8 text") from None
        if not isinstance(asked, dict):
            raise InputError.of("question", "is not an object")
        return asked

    def _session(self, asked: Mapping[str, Any]) -> None:
        token = asked.get("token")
        cookie = self.server.access.exchange(token) if isinstance(token, str) else None
        if cookie is None:
            self._refuse(403, "This link was used before, or is not the studio's. Start fracas studio again.")
        else:
            self._json(200, {}, {"Set-Cookie": cookie})

    def _battle(self, key: str, stream: int) -> None:
        battle = self.server.questions.battle(key, stream)
        if battle is None:
            self._refuse(404, "The studio has forgotten this version. Go back to its page and open the battle again.")
        else:
            # The page has a policy of its own, by the hash of its script.
            self._send(
                200,
                "text/html; charset=utf-8",
                page_of(battle).encode(),
                {"Content-Security-Policy": "frame-ancestors 'none'"},
            )

    def _lines(self, parts: Iterator[Mapping[str, Any]]) -> None:
        """Stream the answer. Its first part is computed before it begins, so that errors have a status."""
        first = next(parts, None)
        self._head(200, "application/x-ndjson", {})
        with suppress(InputError, FaultError):
            for part in chain([] if first is None else [first], parts):
                self.wfile.write(json.dumps(part).encode() + b"\n")
                self.wfile.flush()

    def _guarded(self, answer: Any) -> None:
        """Answer, or say what is wrong."""
        try:
            answer()
        except (TimeoutError, ConnectionError):
            # The page went away.
            self.close_connection = True
        except JobStoppedError:
            self._json(409, {"stopped": True})
        except ChangedBelowError:
            self._json(409, {"changed": True})
        except InputError as error:
            problems = [
                {"where": each.where, "message": each.message, "suggestion": each.suggestion} for each in error.problems
            ]
            self._json(422, {"problems": problems})
        except Exception as error:
            # A fault of ours must not end the studio, in which unsaved work may be.
            told = str(error) if isinstance(error, FracasError) else f"{type(error).__name__}: {error}"
            self._json(500, {"problems": [{"where": "", "message": f"fault: {told}", "suggestion": None}]})

    def _json(self, status: int, value: Any, headers: Mapping[str, str] | None = None) -> None:
        self._send(status, JSON, json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), headers or {})

    def _refuse(self, status: int, why: str) -> None:
        self.close_connection = True
        self._send(status, "text/plain; charset=utf-8", f"{why}\n".encode(), {})

    def _send(self, status: int, kind: str, content: bytes, headers: Mapping[str, str]) -> None:
        self._head(status, kind, {"Content-Length": str(len(content)), **headers})
        if self.command != "HEAD":
            with suppress(ConnectionError):
                self.wfile.write(content)

    def _head(self, status: int, kind: str, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": kind, **headers}.items():
            self.send_header(name, value)
        self.end_headers()
