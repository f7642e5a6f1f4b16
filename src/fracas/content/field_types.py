"""The types of fields that the models of every ruleset have, and the heads of profiles and scenarios."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from fracas.content.validate import Model, printable

Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=64)]
Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(printable)]
Note = Annotated[str, Field(max_length=2000)]
Seed = Annotated[str, Field(min_length=1, max_length=1000)]


class ProfileHead(Model):
    """The keys that the profiles of all rulesets have; each adds its `options`."""

    id: Id
    note: Note = ""
    base: Id | None = None
    """The profile that supplies the options that this one leaves out."""


class ScenarioHead(Model):
    """The keys with which the scenarios of all rulesets begin; each names itself in `ruleset`."""

    ruleset: str
    id: Name | None = None
    note: Note = ""
    seed: Seed | None = None
    """The seed text; absent means the id."""
    profile: Id | None = None


class ResolvedHead(Model):
    """The same keys in a resolved document."""

    ruleset: str
    id: Name
    seed: Seed
    profile: Id
