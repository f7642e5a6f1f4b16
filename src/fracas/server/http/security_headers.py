"""Security headers on every answer: no foreign scripts, styles, frames or guessing of types."""

from __future__ import annotations

from fracas.server.http.asgi import App, Message, Receive, Scope, Send
from fracas.server.settings import Settings

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
TWO_YEARS = 63_072_000


class SecurityHeaders:
    """Adds the headers that an answer does not set itself."""

    def __init__(self, app: App, settings: Settings) -> None:
        self._app = app
        self._always = [
            (b"x-content-type-options", b"nosniff"),
            # `no-referrer` would send `Origin: null` with forms; pages of invitations set it themselves.
            (b"referrer-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
        ]
        # Elsewhere browsers ignore it, and say so on each page.
        if settings.is_secure_context:
            self._always.append((b"cross-origin-opener-policy", b"same-origin"))
        if settings.is_https:
            self._always.append((b"strict-transport-security", f"max-age={TWO_YEARS}".encode()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                there = {name.lower(): value for name, value in headers}
                is_page = there.get(b"content-type", b"").startswith(b"text/html")
                policy = PAGE_POLICY if is_page else DATA_POLICY
                added = [*self._always, (b"content-security-policy", policy.encode())]
                if not is_page:
                    added.append((b"cache-control", b"no-store"))
                message["headers"] = headers + [pair for pair in added if pair[0] not in there]
            await send(message)

        await self._app(scope, receive, sending)
