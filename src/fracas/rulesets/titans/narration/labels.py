"""The two titans of a duel for narration: display names and current values, updated from events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fracas.events.styled_text import SIDE_1, SIDE_2, clipped
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.types import Document
from fracas.rulesets.titans.rules import events as kinds
from fracas.rulesets.titans.rules.constants import STATS
from fracas.rulesets.titans.rules.titan_stats import changed

LONGEST_NAME = 15


@dataclass(slots=True)
class Duelist:
    """A player's titan: its starting values and its current ones."""

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
        """The titan's name with its player's number in front; both players may have the same titan."""
        return f"{self.index + 1} {clipped(self.name, LONGEST_NAME)}"

    @property
    def role(self) -> str:
        """The text role of its name."""
        return (SIDE_1, SIDE_2)[self.index]

    def now(self, stat: str) -> float:
        """The current value of a stat."""
        return changed(self.stats[stat], self.sums[stat])


def duelists_of(document: Document) -> dict[str, Duelist]:
    """Both titans at the start of the duel, by the names of their players."""
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


def follow(duelists: Mapping[str, Duelist], event: Event) -> None:
    """Update the titans with an event."""
    match event:
        case kinds.Choice():
            duelists[event.actor].choice = event.action
        case kinds.Damage():
            duelists[event.target].hp = event.hp
            duelists[event.target].shield -= event.absorbed
        case kinds.Heal():
            duelists[event.actor].hp = event.hp
        case kinds.Shield():
            duelists[event.actor].shield = event.shield
        case kinds.Charge():
            duelists[event.target].charge = event.charge
        case kinds.Pay():
            duelists[event.actor].charge = event.charge
        case kinds.Change() | kinds.Expire():
            duelists[event.target].sums[event.stat] = event.total
        case kinds.RoundEnd():
            for duelist in duelists.values():
                duelist.shield = 0.0
