"""The types of fields that the models of every ruleset have, and the heads of profiles and scenarios."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from fracas.content.references import FOR_DRAWING
from fracas.content.validate import Model, printable

Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=64)]
Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(printable)]
Note = Annotated[str, Field(max_length=2000)]
Seed = Annotated[str, Field(min_length=1, max_length=1000)]


EffectName = Literal["slash", "arrow", "bolt", "burst", "beam", "heal", "dome", "poison"]
DrawnEffect = Annotated[EffectName | None, FOR_DRAWING]
"""What pages draw between who acts and whom it meets."""
Kind = Annotated[int, Field(ge=0, le=3)]


class Parts(Model):
    """Which of the drawn kinds of each part a body has; absent means by a number of the unit's name."""

    helm: Kind | None = None
    weapon: Kind | None = None
    emblem: Kind | None = None
    cloak: Annotated[int, Field(ge=0, le=2)] | None = None


class Look(Model):
    """What pages draw a unit as. For drawing only: like a note it is in no record, resolved document or fingerprint."""

    body: (
        Literal[
            "warrior", "tank", "archer", "mage", "healer", "beast", "bird", "brute", "blob", "titan", "rider", "engine"
        ]
        | None
    ) = None
    """Absent means by its class, its kind or its name."""
    parts: Parts | None = None
    hue: Annotated[int, Field(ge=0, le=359)] | None = None
    """The angle of its colour; absent means by its side and place."""


DrawnLook = Annotated[Look | None, FOR_DRAWING]


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
