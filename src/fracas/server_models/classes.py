"""Classes of teachers."""

from __future__ import annotations

from pydantic import Field

from fracas.server_models.answer import Answer, Id, Links, Time
from fracas.server_models.arena import Person


class ClassEntry(Answer):
    """An entry of a class."""

    id: Id
    account: Person
    code: str = Field(examples=["e7k3q2f"], description="What tables call it.")
    title: str = Field(examples=["My first team"])
    version: int
    links: Links


class SchoolClass(Answer):
    """A class: its code for its teacher, its pupils and entries where one class was asked for."""

    id: Id
    title: str = Field(examples=["Year 9, blue"])
    league: str = Field(examples=["squads"])
    teacher: bool = Field(description="Whether you teach it.")
    created_at: Time
    code: str | None = Field(default=None, examples=["k3q2f7wm"])
    code_expires_at: Time | None = None
    links: Links
    pupils: list[Person] = []
    entries: list[ClassEntry] = []
    handle: str | None = Field(default=None, description="Yours, if you have just become a guest.")
    name: str | None = None
    token: str | None = None
    token_expires_at: Time | None = None
