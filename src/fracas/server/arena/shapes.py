"""The bodies and answers of the routes of the arena."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from fracas.server.http.answers import Body, Shape

ID = "01kar7ms5rj9e7q2c4xw8v0tzd"
TIME = "2026-11-22T10:30:00.000Z"
HEX = "4be9" * 16
_TEXT = 300

ENTRY_DOCUMENT = {"units": ["scout", "bronze_knight", "novice_cleric"], "strategy": "finish_the_weak"}


class NewEntry(Body):
    """An entry to submit."""

    league: str = Field(max_length=_TEXT, examples=["squads"])
    title: str = Field(max_length=_TEXT, examples=["Quick and careful"])
    ranked: bool = Field(False, description="Whether it is your ranked entry there; you have one for each league.")
    document: dict[str, Any] = Field(
        examples=[ENTRY_DOCUMENT], description="GET /leagues/{league}/schema describes it."
    )


class EntryDocument(Body):
    """The document of an entry."""

    document: dict[str, Any] = Field(examples=[ENTRY_DOCUMENT])


class EntryChange(Body):
    """What to change about an entry; what is left out stays."""

    title: str | None = Field(default=None, max_length=_TEXT, examples=["Quick and careful"])
    open_to_challenges: bool | None = Field(
        default=None, description="Whether others may challenge it while its league still hides it.", examples=[True]
    )


class NewTicket(Body):
    """A place in the queue."""

    entry: str = Field(max_length=_TEXT, examples=[ID])
    kind: Literal["once", "standing"] = Field("once", examples=["standing"])
    salt: str | None = Field(None, max_length=200, description="A text of your own that goes into the seed.")


class Practice(Body):
    """A match against a bot."""

    entry: str = Field(max_length=_TEXT, examples=[ID])
    bot: str = Field(max_length=_TEXT, examples=["toll-gate"], description="The handle of a bot of the league.")


class Challenge(Body):
    """A match against a named rival."""

    entry: str = Field(max_length=_TEXT, examples=[ID])
    rival: str = Field(max_length=_TEXT, examples=["bob"], description="The rival's handle.")


class Item(Shape):
    """One thing, with links."""

    links: dict[str, str]


class Items(Shape):
    """A page of a list; `links.next` is there unless it is the last."""

    items: list[dict[str, Any]]
    links: dict[str, str]


PERSON_EXAMPLE = {"handle": "ann", "name": "Ann of the Hills", "role": "player"}
RATING_EXAMPLE = {"rating": 1612, "uncertainty": 96, "provisional": False, "mu": 27.8, "sigma": 1.2}
LEAGUE_EXAMPLE = {
    "id": "squads",
    "title": "Squads",
    "ruleset": "squads",
    "mode": "ranked",
    "modifier": "heavy_armor",
    "season": {"number": 3, "ends_at": TIME},
    "links": {"self": "/api/v1/leagues/squads"},
}
HEAD_EXAMPLE = {
    "league": "squads",
    "day": "2026-11-22",
    "commitment": HEX,
    "number": 17,
    "head": HEX,
    "tomorrow": {"day": "2026-11-23", "commitment": HEX},
    "published": [{"number": 12, "head": HEX, "at": TIME}],
    "links": {"self": "/api/v1/leagues/squads/head"},
}
ROW_EXAMPLE = {
    "rank": 1,
    "account": PERSON_EXAMPLE,
    **RATING_EXAMPLE,
    "matches": 40,
    "wins": 25,
    "draws": 3,
    "losses": 12,
}
ENTRY_EXAMPLE = {
    "id": ID,
    "account": PERSON_EXAMPLE,
    "league": "squads",
    "code": "e7k3q2f",
    "title": "Quick and careful",
    "ranked": True,
    "versions": 2,
    "state": "active",
    "open_to_challenges": False,
    "created_at": TIME,
    "links": {"self": f"/api/v1/entries/{ID}"},
}
SUBMITTED_EXAMPLE = {
    "entry": ID,
    "version": 2,
    "code": "e7k3q2f",
    "digest": HEX,
    "sealed_digest": HEX,
    "warnings": [],
    "links": {"entry": f"/api/v1/entries/{ID}"},
}
CHECKED_EXAMPLE = {
    "league": "squads",
    "cost": 41,
    "points": 50,
    "digest": HEX,
    "warnings": [],
    "links": {"league": "/api/v1/leagues/squads", "submit": "/api/v1/entries"},
}
VERSION_EXAMPLE = {
    "version": 2,
    "sealed_digest": HEX,
    "created_at": TIME,
    "revealed_at": None,
    "document": ENTRY_DOCUMENT,
    "links": {"self": f"/api/v1/entries/{ID}/versions/2"},
}
TICKET_EXAMPLE = {
    "id": ID,
    "league": "squads",
    "entry": ID,
    "version": 2,
    "kind": "once",
    "mode": "ranked",
    "salt": "any text",
    "since": TIME,
    "due_at": TIME,
    "state": "waiting",
    "sealed_digest": HEX,
    "links": {"self": f"/api/v1/tickets/{ID}"},
}
SIDE_EXAMPLE = {
    "place": 1,
    "account": PERSON_EXAMPLE,
    "entry": ID,
    "title": "Quick and careful",
    "code": "e7k3q2f",
    "version": 2,
    "sealed_digest": HEX,
    "revealed": True,
    "score": 3,
    "outcome": "win",
    "rated": True,
    "before": RATING_EXAMPLE,
    "after": RATING_EXAMPLE,
}
MATCH_EXAMPLE = {
    "id": ID,
    "league": "squads",
    "season": 3,
    "day": "2026-11-22",
    "number": 17,
    "kind": "ranked",
    "seed": HEX,
    "rules_version": 2,
    "modifier": "heavy_armor",
    "played_at": TIME,
    "chain": HEX,
    "sides": [SIDE_EXAMPLE, {**SIDE_EXAMPLE, "place": 2, "outcome": "loss", "score": 1}],
    "links": {"self": f"/api/v1/matches/{ID}"},
}
LEG_EXAMPLE = {
    "leg": 0,
    "seed": f"{HEX}:0",
    "places": [1, 2],
    "hidden_sides": [],
    "ruleset": "squads",
    "winner": 1,
    "reason": "wiped_out",
    "rounds": 9,
    "story": "Round 1\n",
    "links": {"self": f"/api/v1/matches/{ID}/legs/0"},
}
EVENTS_EXAMPLE = {"items": [{"tick": 1, "kind": "round"}], "links": {"self": f"/api/v1/matches/{ID}/legs/0/events"}}
PROFILE_EXAMPLE = {
    "account": PERSON_EXAMPLE,
    "ratings": [{"league": "squads", "season": 3, "rank": 1, **RATING_EXAMPLE, "matches": 40}],
    "entries": [ENTRY_EXAMPLE],
    "links": {"self": "/api/v1/profiles/ann"},
}


def items(example: Any, path: str) -> dict[str, Any]:
    """The example of a page of a list."""
    return {"items": [example], "links": {"self": path}}
