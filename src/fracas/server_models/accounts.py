"""Accounts, sessions and keys."""

from __future__ import annotations

from pydantic import Field

from fracas.server_models.answer import Answer, Id, Links, Time


class Account(Answer):
    """An account, as its owner sees it."""

    id: Id
    handle: str = Field(examples=["ann"])
    display_name: str | None = Field(examples=["Ann of the Hills"])
    role: str = Field(examples=["player"], description="player, operator, bot or guest.")
    created_at: Time
    links: Links


class Session(Answer):
    """A new session. The token is shown once."""

    token: str | None = Field(examples=["frc_" + "x" * 43])
    expires_at: Time
    account: Account
    links: Links


class Token(Answer):
    """A session or an API key, without the token."""

    id: Id
    name: str | None = Field(examples=["my bot"])
    scopes: list[str] = Field(examples=[["play", "read"]])
    created_at: Time
    used_at: Time | None
    expires_at: Time
    links: Links


class NewKey(Answer):
    """A new API key. The token is shown once, and not again to a repeated request."""

    id: Id
    token: str | None = Field(examples=["frc_" + "x" * 43])
    expires_at: Time
    links: Links


class Note(Answer):
    """What an operator or an account did."""

    id: Id
    who: str
    what: str = Field(examples=["suspend"])
    subject: str
    reason: str | None = Field(examples=["sold matches"])
    at: Time
