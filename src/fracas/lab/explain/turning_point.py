"""Finds a battle's turning point: the round in which the loser's odds fell most, and what happened in it."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.engine.battle import Battle
from fracas.engine.scenario import Scenario
from fracas.events.styled_text import HEADING
from fracas.lab.explain.why_result import RoundOdds


def round_label(scenario: Scenario, tick: int) -> str:
    """The label of a round by its tick, such as round 3, or set-up."""
    name = scenario.ruleset.tick_labels(scenario.document).name(tick)
    if not name.startswith("tick "):
        return name
    return f"round {tick}" if tick else "set-up"


def pivotal_round(standings: Sequence[RoundOdds], winner: int) -> tuple[RoundOdds, int] | None:
    """The round in which the loser's odds fell most, and the loser; after a draw, either side's odds count.

    None if they never fell.
    """
    loser = 3 - winner if winner else None
    falls = [_fall(standing, loser) for standing in standings]
    if not falls or max(falls) <= 0:
        return None
    standing = standings[falls.index(max(falls))]
    return standing, loser or (1 if standing.change[0] < 0 else 2)


def _fall(standing: RoundOdds, loser: int | None) -> float:
    """How far the loser's odds fell in a round; after a draw, how far either side's odds fell."""
    return abs(standing.change[0]) if loser is None else -standing.change[loser - 1]


def round_story(battle: Battle, standing: RoundOdds) -> list[str]:
    """The narrated lines of a round, without those before its heading and after its end."""
    lines = [line for line in battle.lines() if line.tick == standing.tick and line.text.strip()]
    headings = [number for number, line in enumerate(lines) if line.spans[0][1] == HEADING]
    wanted = standing.place.rpartition(", ")[2]
    first = next((number for number in headings if lines[number].text.strip().lower().startswith(wanted)), 0)
    end = next((number for number in headings if number > first), len(lines))
    return [line.text for line in lines[first:end]]
