"""Results of `fracas lab solve`: matrix, mixes, value with its error, exploitability. titans/README.md, "Solving"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fracas.errors import FaultError, InputError, UsageError
from fracas.rulesets.contract.mixers import Mixer
from fracas.rulesets.contract.types import Compiled, Document, Override, Rows
from fracas.rulesets.shared.condition_dry_run import whole_number
from fracas.rulesets.titans.content.equilibrium_tables import FINE_STEPS, solved_table
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.solver.best_answer import value_against
from fracas.rulesets.titans.solver.matrix_game import MOST_REPLY_GAIN
from fracas.rulesets.titans.solver.solve import (
    LEFT_OPEN,
    Induction,
    Situation,
    best_mixes,
    exploitable_by,
    linear_programming,
    looks_back,
    names_of,
    reply_gain,
    start_of,
    value_error,
)

FINE_STATES = 400_000
# How many times smaller the second grid is; the difference of both values estimates the error.
COARSER = 8
FEWEST_STATES, MOST_STATES = 500, 4_000_000
HELP = "paths are round, players.0.hp, players.0.charge, players.1.hp and players.1.charge"


@dataclass(frozen=True)
class Solution:
    """A solved situation."""

    document: Document
    situation: Situation
    choices: tuple[tuple[str, ...], tuple[str, ...]]
    """Both players' choices, by name."""
    matrix: Rows
    """Player 1's chance to win for each pair of choices, with best play afterwards; a draw counts half."""
    mixes: tuple[Rows, Rows]
    """The best mixes, as scipy finds them."""
    value: float
    coarse_value: float
    states: tuple[int, int]
    """The number of states in the fine and the coarse grid."""
    is_exact: bool
    """Whether the fine grid has every reachable state and counts every HP loss separately."""
    are_grids_alike: bool
    """Whether both grids have the same nodes, so that comparing their values gives no error."""
    exploitability: tuple[float | None, float | None]
    """How much each player's opponent gains over the value by the best answer to the player's policy."""
    exploitability_error: tuple[float | None, float | None]
    """The approximate errors of these, as `error` is of the value."""
    is_of_agent: bool
    """Whether they are those of an agent in either place, not of the policies in the document."""
    reply_gain: float
    """The most that a best reply gains against the mixes of any state examined."""
    tables: dict[int, Document] = field(default_factory=dict)
    """The requested solved policies, by player."""

    @property
    def error(self) -> float | None:
        """The approximate error of the value: the difference between both grids, or the remainder of an exact one.

        None if unknown, because both grids are the same or give the same value.
        """
        return value_error(self.value, self.coarse_value, is_exact=self.is_exact, are_alike=self.are_grids_alike)

    def situation_rows(self) -> Sequence[Sequence[str]]:
        """The round, and for each player its name and titan, the HP and the charge."""
        now = self.situation
        players = (
            (player["name"], player["titan"]["name"], f"{hp} of {player['titan']['hp']} HP", f"{charge} charge")
            for player, hp, charge in zip(self.document["players"], now.hp, now.charge, strict=True)
        )
        return [(f"round {now.round}",), *players]

    def notes(self) -> Sequence[str]:
        """The error of the value, and what was checked."""
        fine, coarse = self.states
        if self.error is None:
            alike = self.are_grids_alike
            reason = "is the same as the coarser one" if alike else "gives the same value as a coarser one"
            error = f"error unknown: the grid of {fine:,} states {reason}; try more --states"
        elif self.is_exact:
            error = f"error below {self.error:.2%}: the grid of {fine:,} states holds every reachable state"
        else:
            error = f"error about {self.error:.2%}, the difference between grids of {fine:,} and {coarse:,} states"
        return error, f"checked: in no state does another choice gain more than {MOST_REPLY_GAIN:.4%} against the mixes"

    def findings(self) -> Sequence[str]:
        """The exploitability of the file's policies, or of the agent."""
        names = [player["name"] for player in self.document["players"]]
        whose = [f"the agent as {name}" if self.is_of_agent else f"{name}'s policy" for name in names]
        errors = ("error unknown" if each is None else f"error about {each:.2%}" for each in self.exploitability_error)
        return [
            f"exploitability of {who}: {other} can win {gain:.2%} more than the value, {error}"
            for who, other, gain, error in zip(whose, reversed(names), self.exploitability, errors, strict=True)
            if gain is not None
        ]

    def as_json(self) -> Document:
        """The situation, the matrix, the mixes and the figures as plain values."""
        players = self.document["players"]
        return {
            "round": self.situation.round,
            "players": [
                {"name": player["name"], "hp": self.situation.hp[index], "charge": self.situation.charge[index]}
                for index, player in enumerate(players)
            ],
            "choices": [list(own) for own in self.choices],
            "matrix": [[float(chance) for chance in row] for row in self.matrix],
            "mixes": [
                {name: float(share) for name, share in zip(own, mix, strict=True)}
                for own, mix in zip(self.choices, self.mixes, strict=True)
            ],
            "value": self.value,
            "value_error": self.error,
            "states": list(self.states),
            "is_exact": self.is_exact,
            "reply_gain": self.reply_gain,
            "exploitability": list(self.exploitability),
            "exploitability_error": list(self.exploitability_error),
        }


def solve_duel(
    compiled: Compiled,
    document: Document,
    state: Sequence[Override] = (),
    *,
    states: int | None = None,
    tables: Sequence[int] = (),
    agent: Mixer | None = None,
    threads: int = 1,
    notice: Callable[[str], None] = lambda _: None,
    steps: Callable[[int, int, str], None] = lambda _, __, ___: None,
) -> Solution:
    """Solve a duel from a situation, by default from its start.

    With `agent` the exploitability is the agent's in either place, not that of the file's policies. `steps` is told
    after each round how many of all values are computed, and what comes next.

    Raises:
        InputError: the situation is impossible, scipy is not installed, or compiling is off.
        FaultError: a check of the result failed: a state's mixes are not an equilibrium, or a policy beats the value.
    """
    states = FINE_STATES if states is None else states
    if not FEWEST_STATES <= states <= MOST_STATES:
        raise UsageError.of("--states", f"{states:,} is out of range: {FEWEST_STATES:,} to {MOST_STATES:,}")
    battle = compiled.record[0]
    situation = situation_of(battle, state)
    linear_programming()  # It is missed before the grid is solved, not minutes later.
    done, whole = 0, 0

    def advance(number: int, values: int) -> None:
        nonlocal done
        done += values
        steps(done, whole, f"round {number}")

    fine = Induction(battle, states, threads=threads, advance=advance)
    coarse = Induction(battle, max(FEWEST_STATES, states // COARSER), threads=threads, advance=advance)
    sizes = (len(fine.grid.states), len(coarse.grid.states))
    examined = sum(agent is not None or _is_examined(battle, player) for player in range(codes.PLAYERS))
    rounds = int(battle.options.round_cap) - situation.round
    is_alike = fine.grid.is_like(coarse.grid)
    whole = rounds * (sizes[1] * (1 + examined * (not is_alike)) + sizes[0] * (1 + examined))
    notice(f"solving on grids of {sizes[0]:,} and {sizes[1]:,} states")
    coarse_value = coarse.stage(situation, coarse.following(situation.round)).value
    if fine.grid.is_exact:
        notice("the finer grid has every reachable state")
    following = fine.following(situation.round)
    game = fine.stage(situation, following)
    value, *mixes = best_mixes(game.chances)
    gains = [_exploitability(fine, situation, value, player, agent, notice) for player in range(codes.PLAYERS)]
    errors: list[float | None] = [None, None]
    for player, gain in enumerate(gains):
        if gain is not None:
            roughly = None if is_alike else _exploitability(coarse, situation, coarse_value, player, agent)
            errors[player] = value_error(
                gain, gain if roughly is None else roughly, is_exact=fine.grid.is_exact, are_alike=is_alike
            )
    start = following if situation.round == 1 or not tables else fine.following(1)
    written = {player: solved_table(fine, document, player, start, FINE_STEPS) for player in tables}
    return Solution(
        document,
        situation,
        (tuple(names_of(document, 0, game.choices[0])), tuple(names_of(document, 1, game.choices[1]))),
        game.chances,
        (mixes[0], mixes[1]),
        value,
        coarse_value,
        sizes,
        fine.grid.is_exact,
        is_alike,
        (gains[0], gains[1]),
        (errors[0], errors[1]),
        agent is not None,
        max(fine.reply_gain, reply_gain(game.chances, mixes[0], mixes[1], value)),
        written,
    )


def _exploitability(
    induction: Induction,
    situation: Situation,
    value: float,
    player: int,
    agent: Mixer | None,
    notice: Callable[[str], None] = lambda _: None,
) -> float | None:
    """How far an agent in a player's place can be exploited, or without one the player's policy.

    None for a list of choices and for a policy that remembers.

    Raises:
        FaultError: against its best answer, the policy scores more than the duel's value.
    """
    if agent is None and not _is_examined(induction.battle, player):
        if looks_back(induction.battle, player):
            what = f"the trained policy of player {player + 1}"
            notice(f"{what} remembers the last round, which solved states do not hold")
        return None
    notice(f"looking for the best answer to the {'policy of' if agent is None else 'agent as'} player {player + 1}")
    if agent is not None:
        answered = value_against(induction, situation, player, agent)
    else:
        answered = induction.value_against(situation, (player == 0, player == 1))
    more = answered - value if player == 0 else value - answered
    # Each value can be off by LEFT_OPEN.
    if not more <= 2 * LEFT_OPEN:
        raise FaultError(f"the policy of player {player + 1} wins {more:.2g} more than the duel is worth to it")
    return exploitable_by(value, answered, player)


def _is_examined(battle: Any, player: int) -> bool:
    """Whether a player's policy depends only on what solved states hold, so that its best answer can be found."""
    return bool(battle.policies[player].kind != codes.BY_LIST) and not looks_back(battle, player)


def situation_of(battle: Any, state: Sequence[Override]) -> Situation:
    """The start of a duel with the user's overrides.

    Raises:
        InputError: an unknown path or an impossible value.
    """
    start = start_of(battle)
    hp, charge, number = list(start.hp), list(start.charge), start.round
    for override in state:
        where, value = override.label, override.value
        match override.path:
            case ("round",):
                number = whole_number(value, 1, int(battle.options.round_cap), where)
            case ("players", "0" | "1" as place, "hp"):
                hp[int(place)] = whole_number(value, 1, int(battle.titans[int(place)].max_hp), where)
            case ("players", "0" | "1" as place, "charge"):
                charge[int(place)] = whole_number(value, 0, codes.MAX_CHARGE, where)
            case _:
                raise InputError.of(where, "is not a path of the state", HELP)
    return Situation(number, (hp[0], hp[1]), (charge[0], charge[1]))
