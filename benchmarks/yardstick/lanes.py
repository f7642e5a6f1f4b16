"""The two ways in which compiled code plays silent battles, as players for compare.py: one by one, and in lanes."""

from __future__ import annotations

from dataclasses import replace

import fracas
from fracas.engine.lockstep import LockstepPlay, finish_lanes
from fracas.engine.player import Player, make_player
from fracas.lanes.memory import vector_bits

# How many times faster lanes must be than one battle at a time: with vectors of 512 bits, and with shorter ones.
LEAST_OF_ONE_BY_ONE = 4.0, 2.0


def one_by_one(scenario: fracas.Scenario, battles: int) -> Player:
    """A player that never uses lanes."""
    player = make_player(scenario, logged=False, battles=battles)
    play = player.play_many
    return replace(player, play_many=play.one_by_one) if isinstance(play, LockstepPlay) else player


def in_lanes(scenario: fracas.Scenario, battles: int) -> Player | None:
    """A player that uses lanes, with their code ready; None if the scenario has none."""
    player = one_by_one(scenario, battles)
    fit = finish_lanes(player.kernels, player.record)
    return (
        None if fit is None or fit.code is None else replace(player, play_many=LockstepPlay(player.play_many, fit.code))
    )


def least_of_one_by_one() -> float:
    """How many times faster lanes must be on this machine."""
    widest, elsewhere = LEAST_OF_ONE_BY_ONE
    return widest if vector_bits() >= 512 else elsewhere
