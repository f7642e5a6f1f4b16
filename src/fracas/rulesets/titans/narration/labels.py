"""The two titans of a duel as it is told: what they are called, and how they stand after the events so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fracas.events.protocol import Event
from fracas.events.styled_text import SIDE_1, SIDE_2
from fracas.rulesets.contract.types import Document
from fracas.rulesets.titans import events as kinds
from fracas.rulesets.titans.rules.constants import STATS
from fracas.rulesets.titans.rules.titan_stats import changed

LONGEST_NAME = 15


@dataclass(slots=True)
class Duelist:
    """A player's titan: what was given, and what has changed."""

    index: int
    player: str
    name: str
    max_hp: int
    stats: Mapping[str, int]
    hp: int
    charge: int = 0
    shield: float = 0.0
    choice: str = ""
    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATS, 0))

    @property
    def title(self) -> str:
        """The titan's name after its player's number: both may have the same titan."""
        return f"{self.index + 1} {shortened(self.name)}"

    @property
    def role(self) -> str:
        """The role of its name in a line."""
        return (SIDE_1, SIDE_2)[self.index]

    def now(self, stat: str) -> float:
        """A stat as it is now."""
        return changed(self.stats[stat], self.sums[stat])


def shortened(name: str, longest: int = LONGEST_NAME) -> str:
    """A name that fits into its column."""
    return name if len(name) <= longest else name[: longest - 1] + "…"


def cast_of(document: Document) -> dict[str, Duelist]:
    """Both titans as they enter, by the names of their players."""
    return {
        player["name"]: Duelist(
            index=index,
            player=player["name"],
            name=player["titan"]["name"],
            max_hp=player["titan"]["hp"],
            stats={stat: player["titan"].get(stat, 0) for stat in STATS},
            hp=player["titan"]["hp"],
        )
        for index, player in enumerate(document["players"])
    }


def follow(cast: Mapping[str, Duelist], event: Event) -> None:
    """Let an event change the titans as the duel did."""
    match event:
        case kinds.Choice():
            cast[event.actor].choice = event.action
        case kinds.Damage():
            cast[event.target].hp = event.hp
            cast[event.target].shield -= event.absorbed
        case kinds.Heal():
            cast[event.actor].hp = event.hp
        case kinds.Shield():
            cast[event.actor].shield = event.shield
        case kinds.Charge():
            cast[event.target].charge = event.charge
        case kinds.Pay():
            cast[event.actor].charge = event.charge
        case kinds.Change() | kinds.Expire():
            cast[event.target].sums[event.stat] = event.total
        case kinds.RoundEnd():
            for duelist in cast.values():
                duelist.shield = 0.0
