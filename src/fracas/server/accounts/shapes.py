"""The bodies and answers of the routes of accounts."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from fracas.server.http.answers import Body, Shape

ID = "01kar7ms5rj9e7q2c4xw8v0tzd"
TIME = "2026-11-22T10:30:00.000Z"
# Longer than any valid value, and short enough that nothing is spent on longer ones.
_TEXT = 300


class Registration(Body):
    """A new account."""

    handle: str = Field(max_length=_TEXT, examples=["ann"])
    password: str = Field(max_length=1_000, examples=["correct horse battery"])
    invitation: str | None = Field(None, max_length=_TEXT)


class SignIn(Body):
    """A handle and its password."""

    handle: str = Field(max_length=_TEXT, examples=["ann"])
    password: str = Field(max_length=1_000, examples=["correct horse battery"])


class AccountChange(Body):
    """What an account may change about itself."""

    display_name: str = Field(max_length=_TEXT, examples=["Ann of the Hills"])


class PasswordChange(Body):
    """The password, and a new one."""

    current_password: str = Field(max_length=1_000, examples=["correct horse battery"])
    new_password: str = Field(max_length=1_000, examples=["staple orange window"])
    delete_keys: bool = Field(False, description="Delete all API keys too: without, they stay valid.")


class Recovery(Body):
    """A code that `fracas server reset-password` printed, and a new password."""

    handle: str = Field(max_length=_TEXT, examples=["ann"])
    code: str = Field(max_length=_TEXT, examples=["frc_" + "x" * 43])
    new_password: str = Field(max_length=1_000, examples=["staple orange window"])


class Confirmation(Body):
    """The password, to confirm what cannot be undone."""

    password: str = Field(max_length=1_000, examples=["correct horse battery"])


class NewKey(Body):
    """An API key to make."""

    name: str = Field(max_length=_TEXT, examples=["my bot"])
    scopes: list[str] = Field(max_length=10, examples=[["read", "play"]])
    days: int = Field(90, examples=[90])


class Suspension(Body):
    """Why an account is suspended."""

    reason: str = Field(min_length=1, max_length=_TEXT, examples=["sold matches"])


class AccountShape(Shape):
    """An account, as its owner sees it."""

    id: str
    handle: str
    display_name: str | None
    role: str
    created_at: str
    links: dict[str, str]


class SessionShape(Shape):
    """A new session. The token is shown once."""

    token: str | None
    expires_at: str
    account: AccountShape
    links: dict[str, str]


class TokenShape(Shape):
    """A session or an API key, without the token."""

    id: str
    name: str | None
    scopes: list[str]
    created_at: str
    used_at: str | None
    expires_at: str
    links: dict[str, str]


class TokensShape(Shape):
    """Sessions or API keys."""

    items: list[TokenShape]
    links: dict[str, str]


class NewKeyShape(Shape):
    """A new API key. The token is shown once, and not again to a repeated request."""

    id: str
    token: str | None
    expires_at: str
    links: dict[str, str]


class NotesShape(Shape):
    """What was done, newest first."""

    items: list[dict[str, Any]]
    links: dict[str, str]


ACCOUNT_EXAMPLE = {
    "id": ID,
    "handle": "ann",
    "display_name": "Ann of the Hills",
    "role": "player",
    "created_at": TIME,
    "links": {"self": "/api/v1/account", "events": "/api/v1/events", "keys": "/api/v1/keys"},
}
SESSION_EXAMPLE = {
    "token": "frc_" + "x" * 43,
    "expires_at": TIME,
    "account": ACCOUNT_EXAMPLE,
    "links": {"self": "/api/v1/sessions/current", "account": "/api/v1/account"},
}
TOKENS_EXAMPLE = {
    "items": [
        {
            "id": ID,
            "name": "my bot",
            "scopes": ["play", "read"],
            "created_at": TIME,
            "used_at": TIME,
            "expires_at": TIME,
            "links": {"self": f"/api/v1/keys/{ID}"},
        }
    ],
    "links": {"self": "/api/v1/keys"},
}
KEY_EXAMPLE = {"id": ID, "token": "frc_" + "x" * 43, "expires_at": TIME, "links": {"self": f"/api/v1/keys/{ID}"}}
NOTES_EXAMPLE = {
    "items": [{"id": ID, "who": ID, "what": "suspend", "subject": ID, "reason": "sold matches", "at": TIME}],
    "links": {"self": "/api/v1/admin/audit"},
}
