"""The bodies of the routes of accounts."""

from __future__ import annotations

from pydantic import Field

from fracas.server.http.answers import Body

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
