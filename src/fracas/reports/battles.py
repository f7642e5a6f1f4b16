"""The battles of a report that its reader can watch: the typical one, each side's luckiest win, the turning point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.engine.battle import Battle, play_battle
from fracas.errors import InputError
from fracas.lab.execution.thread_executor import local_threads
from fracas.lab.explain.notable_battles import LuckyWin, luckiest_win, typical_battle
from fracas.lab.explain.turning_point import round_label
from fracas.reports.default_analyses import Subject
from fracas.web.battle import outcome_of, side_names


@dataclass(frozen=True)
class WatchedBattle:
    """A battle of the report: what makes it worth watching, and the moment at which it opens."""

    about: str
    """The scenario's name on the page."""
    kind: str
    """typical, luckiest or turning_point."""
    title: str
    told: str
    """Why it is shown, in a sentence."""
    battle: Battle
    side: int | None = None
    """Whose luckiest win it is."""
    moment: int | None = None
    """The tick to open at; None for the beginning."""
    turning: tuple[str, int] | None = None
    """What happens at that moment and by how many rollouts, if it is the turning point."""

    def as_json(self) -> dict[str, Any]:
        """The battle as plain values."""
        return {
            "scenario": self.about,
            "kind": self.kind,
            "side": self.side,
            "stream": self.battle.stream,
            "tick": self.moment,
            "told": self.told,
        }


def battles_of(subject: Subject, missing: list[str]) -> Iterator[WatchedBattle]:
    """The battles of a simulated scenario, in the order of the page; `missing` gets a sentence for each without one."""
    rows = subject.first
    if rows is None:
        return
    first = play_battle(subject.scenario, typical_battle(rows), notice=subject.how.notice)
    among = f"{len(rows):,} battles"
    told = f"Of {among} it ends as most do, and is in the middle of those by rounds and HP left."
    if subject.results.deterministic:
        told = "Nothing depends on luck: every battle is like this one."
    yield WatchedBattle(subject.name, "typical", "The typical battle", told, first)
    if not subject.results.deterministic:
        for side in (1, 2):
            try:
                found = _luckiest(subject, side)
            except InputError as error:
                missing.append(f"the luckiest wins of {subject.name}: {error}.")
                break
            name = side_names(first)[side - 1]
            if found is None:
                missing.append(f"a luckiest win of {name}: it wins none of {among}.")
                continue
            yield found
    turning = _turning_point(subject)
    if turning is not None:
        yield turning


def _luckiest(subject: Subject, side: int) -> WatchedBattle | None:
    assert subject.first is not None
    wins = np.flatnonzero(subject.first["winner"] == side).tolist()
    how = subject.how
    lucky = luckiest_win(subject.scenario, side, wins, threads=local_threads(how.threads), notice=how.notice)
    if lucky is None:
        return None
    battle = play_battle(subject.scenario, lucky.stream, notice=how.notice)
    name = side_names(battle)[side - 1]
    return WatchedBattle(
        subject.name, "luckiest", f"The luckiest win of {name}", _luck(lucky, battle), battle, side, lucky.tick
    )


def _luck(lucky: LuckyWin, battle: Battle) -> str:
    low, high = lucky.odds.interval95
    odds = f"{lucky.odds.value:.1%} (95% {low:.1%} to {high:.1%})"
    when = round_label(battle.scenario, lucky.tick)
    return f"The odds were {odds} in {when}, the lowest in {lucky.tried} wins."


def _turning_point(subject: Subject) -> WatchedBattle | None:
    """The battle that is explained, at its turning point."""
    explained = subject.explanation
    turning = explained and explained.turning_point
    if explained is None or not turning:
        return None
    battle = explained.battle
    name = side_names(battle)[turning.side - 1]
    told = f"In {turning.place} the odds of {name} went from {turning.before:.1%} to {turning.after:.1%}."
    return WatchedBattle(
        subject.name,
        "turning_point",
        "The turning point",
        told,
        battle,
        None,
        turning.tick,
        (told.removesuffix("."), explained.branches),
    )


def about(watched: WatchedBattle) -> str:
    """The battle in a few words: its number and outcome."""
    return f"Battle {watched.battle.stream}: {outcome_of(watched.battle)}"
