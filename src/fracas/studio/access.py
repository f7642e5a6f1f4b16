"""Access to the studio: only the page that was opened with its token, from its own address."""

from __future__ import annotations

import secrets  # noqa: TID251  # a token must be unguessable, and enters no battle
import threading
from http.cookies import CookieError, SimpleCookie

# Names under which a browser on this machine reaches the loopback address.
HOSTS = ("127.0.0.1", "localhost")


def new_nonce() -> str:
    """A nonce for one page, which its styles must carry."""
    return secrets.token_urlsafe(18)


class Access:
    """A token that works once, and the cookie that it is exchanged for.

    A page of another site can send requests here, also under a name of its own that it lets point to this machine (DNS
    rebinding). It cannot set the headers Host and Origin, and it has no cookie.
    """

    def __init__(self, port: int) -> None:
        self.token = secrets.token_urlsafe(32)
        # Browsers do not tell ports apart when they send cookies, so that the name does.
        self.cookie_name = f"fracas-studio-{port}"
        self._cookie = secrets.token_urlsafe(32)
        self._is_used = False
        self._lock = threading.Lock()
        self._addresses = frozenset(f"{host}:{port}" for host in HOSTS)

    def is_own_host(self, host: str | None) -> bool:
        """Whether a request was sent to this studio's address."""
        return host in self._addresses

    def is_own_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether a page of this very address sent a request."""
        return self.is_own_host(host) and origin == f"http://{host}"

    def exchange(self, token: str) -> str | None:
        """The header that sets the cookie; None if the token is wrong or was used before."""
        with self._lock:
            if self._is_used or not secrets.compare_digest(token.encode(), self.token.encode()):
                return None
            self._is_used = True
        return f"{self.cookie_name}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"

    def has_cookie(self, header: str | None) -> bool:
        """Whether a request carries the cookie."""
        try:
            cookies = SimpleCookie(header or "").get(self.cookie_name)
        except CookieError:
            return False
        return cookies is not None and secrets.compare_digest(cookies.value.encode(), self._cookie.encode())
