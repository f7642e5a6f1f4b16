"""Live tables: what the routes answer, and every message between a player and the server.

A message is JSON, `{"type": …, "payload": {…}}`, of at most 4,096 bytes from the client. The models here are the schema
that the server publishes and checks with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from fracas.server_models.answer import Answer, Digest, Id, Links, Time
from fracas.server_models.arena import Person, Rank, Rating

LONGEST_SALT = 200
LONGEST_MESSAGE = 4_096
LONGEST_CHOICE = 200
# Messages that a server takes of one connection in a second.
MOST_PER_SECOND = 20
HEX = "^[0-9a-f]{64}$"

State = Literal["waiting", "sealing", "opening", "playing", "over"]
# Why a table is not rated: quick match did not bring its players together, or has found nobody yet; both have had all
# rated tables of 24 hours; one is an operator or a guest; it ended before anything was decided.
Unrated = Literal["not_quick", "waiting", "met_often", "not_players", "not_played"]
SideNumber = Annotated[int, Field(ge=1, le=2, examples=[1], description="1 or 2.")]


# -- Answers of routes -----------------------------------------------------------------------------------------------


class TableGame(Answer):
    """A game that is played at tables."""

    game: str = Field(examples=["titans"])
    title: str = Field(examples=["Titans"])
    summary: str = Field(examples=["duels with simultaneous hidden choices"])
    scenarios: list[str] = Field(examples=[["standard"]])
    bots: list[str] = Field(examples=[["random", "tree search"]])
    hides: bool = Field(description="Whether a side has something that the other does not see.")


class RatingChange(Answer):
    """A side's rating: before a rated table, and after it."""

    before: Rating
    after: Rating | None = Field(default=None, description="Once the table is over.")


class TableRank(Rank):
    """What an account has reached on the ladder of a game and a scenario; its matches are rated tables."""

    game: str = Field(examples=["titans"])
    scenario: str = Field(examples=["standard"])


class TableSeat(Answer):
    """A seat at a table: nobody's as long as neither `account` nor `bot` is there."""

    side: SideNumber
    name: str = Field(examples=["Ada"], description="What the scenario calls the side.")
    account: Person | None = None
    bot: str | None = Field(default=None, examples=["tree search"])
    rating: RatingChange | None = Field(default=None, description="At a rated table.")


class Ending(Answer):
    """How a table ended."""

    winner: int = Field(ge=0, le=2, examples=[2], description="The side that won; 0 for nobody.")
    reason: str = Field(examples=["knocked_out"], description="As the rules name it; or what ended the table.")
    decided: bool = Field(description="Whether the rules decided it.")


class GameTable(Answer):
    """A table."""

    id: Id
    game: str = Field(examples=["titans"])
    scenario: str = Field(examples=["standard"])
    state: State = Field(description="waiting for somebody, sealing and opening salts, playing, over.")
    listed: bool = Field(description="Whether the lobby shows it; else only who has the link finds it.")
    seconds: int = Field(examples=[60], description="How long a decision may take.")
    final: bool = Field(description="Whether a choice stands once it is made.")
    step: int = Field(examples=[3], description="The number of the next decision, from 1.")
    quick: bool = Field(description="Whether quick match opened it.")
    unrated: Unrated | None = Field(description="Why its end changes no rating; null if it does.")
    seats: list[TableSeat]
    commitment: Digest | None = None
    handshake: Digest | None = None
    ending: Ending | None = None
    created_at: Time
    links: Links


# -- Messages of the client ------------------------------------------------------------------------------------------


class Said(BaseModel):
    """A payload of the client."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Hello(Said):
    """The first message: who you are, and what you have seen."""

    token: str | None = Field(default=None, max_length=200, description="For programs that send no header or cookie.")
    last: int = Field(default=0, ge=0, description="The last step you saw; later ones are told again.")


class Salt(Said):
    """Your part of the seed: first only its seal, then the salt and the nonce that open it."""

    seal: str | None = Field(default=None, pattern=HEX)
    salt: str | None = Field(default=None, max_length=LONGEST_SALT)
    nonce: str | None = Field(default=None, pattern=HEX)


class Choose(Said):
    """Your choice for a step."""

    step: int = Field(ge=1)
    choice: str = Field(max_length=LONGEST_CHOICE)


class Nothing(Said):
    """No payload."""


class HelloMessage(Said):
    """Hello, and what it is."""

    type: Literal["hello"]
    payload: Hello = Hello()


class SaltMessage(Said):
    """Salt, and what it is."""

    type: Literal["salt"]
    payload: Salt


class ChooseMessage(Said):
    """Choose, and what it is."""

    type: Literal["choose"]
    payload: Choose


class ResignMessage(Said):
    """Resign, and what it is."""

    type: Literal["resign"]
    payload: Nothing = Nothing()


class RematchMessage(Said):
    """Rematch, and what it is."""

    type: Literal["rematch"]
    payload: Nothing = Nothing()


class PingMessage(Said):
    """Ping, and what it is."""

    type: Literal["ping"]
    payload: Nothing = Nothing()


ClientMessage = Annotated[
    HelloMessage | SaltMessage | ChooseMessage | ResignMessage | RematchMessage | PingMessage,
    Field(discriminator="type"),
]


# -- Messages of the server ------------------------------------------------------------------------------------------


class Value(Answer):
    """A value of a side, of somebody on it, or of the battle."""

    name: str
    value: int | str
    most: int | None = Field(default=None, description="What a bar of it is a part of.")


class Body(Answer):
    """Somebody of a side."""

    name: str
    values: list[Value]
    is_asked: bool = False


class SideView(Answer):
    """A side as you may see it."""

    name: str
    values: list[Value]
    bodies: list[Body]


class ChoiceView(Answer):
    """Something that you may choose now."""

    choice: str
    words: str = ""
    cost: str = ""


class View(Answer):
    """The battle as you may see it."""

    step: int
    round: int
    values: list[Value]
    sides: list[SideView]
    deciding: list[SideNumber]
    locked: list[SideNumber] = Field(description="Who has chosen; only players are told.")
    choices: list[ChoiceView] = Field(description="Yours.")
    chosen: str | None = Field(default=None, description="What you have chosen for this step.")
    milliseconds: int | None = Field(default=None, description="How long you still have, by the server's clock.")


class Round(Answer):
    """A step that was played."""

    step: int
    chosen: list[str | None] = Field(description="What each side chose; null where you may not see it.")
    missed: list[SideNumber] = Field(description="Who did not choose in time.")
    events: list[dict[str, Any]] = Field(description="What you may see of what happened.")
    story: list[str] = Field(description="The same, in lines of text.")
    view: View | None = Field(default=None, description="How it stands now; with the newest step only.")


class Welcome(Answer):
    """The table as it stands: after hello, and whenever it changes otherwise than by a step."""

    table: GameTable
    side: int | None = Field(description="Your side; null for who watches.")
    seals: list[str | None] = Field(description="Both seals of salts.")
    salts: list[str | None] | None = Field(description="Both salts, once both are open.")
    present: list[SideNumber] = Field(description="Who is connected.")
    milliseconds: int | None = Field(default=None, description="How long there is for what is due now.")
    opening: list[dict[str, Any]] = Field(
        default=[], description="What you may see of what happened before the first decision."
    )
    rounds: list[Round] = Field(description="The steps after the one you saw last.")
    view: View | None = Field(default=None, description="Once the dice are known.")
    rematch: str | None = Field(
        default=None, description="The next table: once both want one, or where quick match found somebody."
    )


class Locked(Answer):
    """A side has chosen, and it is stored. What it chose is told when all have."""

    step: int
    side: SideNumber
    choice: str | None = Field(default=None, description="Yours, to your own pages only.")


class Over(Answer):
    """It is over. The proof is at `proof`."""

    ending: Ending
    ratings: list[RatingChange] | None = Field(default=None, description="Of both sides, at a rated table.")
    proof: str = Field(examples=["/api/v1/tables/…/proof"])
    server_seed: str
    commitment: str
    handshake: str | None


class Presence(Answer):
    """A player came or went."""

    side: SideNumber
    present: bool


class Error(Answer):
    """What you sent has no effect."""

    code: str = Field(examples=["refused"], description="invalid, refused, too-fast, not-yours.")
    message: str


class Empty(Answer):
    """No payload."""


class WelcomeMessage(Answer):
    """Welcome, and what it is."""

    type: Literal["welcome"]
    payload: Welcome


class LockedMessage(Answer):
    """Locked, and what it is."""

    type: Literal["locked"]
    payload: Locked


class RoundMessage(Answer):
    """Round, and what it is."""

    type: Literal["round"]
    payload: Round


class OverMessage(Answer):
    """Over, and what it is."""

    type: Literal["over"]
    payload: Over


class PresenceMessage(Answer):
    """Presence, and what it is."""

    type: Literal["presence"]
    payload: Presence


class ErrorMessage(Answer):
    """Error, and what it is."""

    type: Literal["error"]
    payload: Error


class PongMessage(Answer):
    """Pong, and what it is."""

    type: Literal["pong"]
    payload: Empty = Empty()


ServerMessage = Annotated[
    WelcomeMessage | LockedMessage | RoundMessage | OverMessage | PresenceMessage | ErrorMessage | PongMessage,
    Field(discriminator="type"),
]


def message_schemas() -> dict[str, Any]:
    """The JSON Schema of what the client and what the server may send."""
    return {
        "client": TypeAdapter(ClientMessage).json_schema(),
        "server": TypeAdapter(ServerMessage).json_schema(mode="serialization"),
    }


def seats_of(table: GameTable) -> Sequence[str | None]:
    """Who sits at both sides, as people call them; None for an empty seat."""
    return [seat.bot or (None if seat.account is None else seat.account.name) for seat in table.seats]
