"""The session's cookie: HttpOnly, SameSite=Lax, and bound to the host where the public URL is https."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.responses import Response

from fracas.server.accounts.tokens import SESSION_LIFE
from fracas.server.settings import Settings


def cookie_name(settings: Settings) -> str:
    """The cookie's name; browsers bind `__Host-` cookies to one host and https."""
    return "__Host-fracas" if settings.is_https else "fracas"


def cookie_of(request: HTTPConnection, settings: Settings) -> str | None:
    """The token in a request's cookie; None if there is none."""
    return request.cookies.get(cookie_name(settings))


def set_cookie(response: Response, settings: Settings, token: str) -> None:
    """Put a session's token into the browser."""
    response.set_cookie(
        cookie_name(settings),
        token,
        max_age=SESSION_LIFE // 1_000,
        path="/",
        secure=settings.is_https,
        httponly=True,
        samesite="lax",
    )


def clear_cookie(response: Response, settings: Settings) -> None:
    """Take the session's token out of the browser."""
    response.delete_cookie(cookie_name(settings), path="/", secure=settings.is_https, httponly=True, samesite="lax")
