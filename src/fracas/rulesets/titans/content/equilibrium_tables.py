"""Write solved policies as tables, and solve a scenario's "equilibrium".

titans/README.md, "Solved tables" and "Solving".
"""

from __future__ import annotations

import base64
import math
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from fracas.kernel.jit import cache_root
from fracas.rulesets.contract.types import Document, Rows
from fracas.rulesets.shared.seeds import fingerprint
from fracas.rulesets.titans.content.compile import compile_battle
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.solver.solve import Induction, names_of, start_of, value_error
from fracas.rulesets.titans.solver.state_grid import charge_nodes

# Sizes for a scenario's "equilibrium": states of both grids, steps of HP in the table.
QUICK_STATES, QUICKER_STATES = 16_000, 4_000
QUICK_STEPS = 12
FINE_STEPS = 20
LARGEST_WEIGHT = 255
# Part of cache names; raise it when solving or writing tables changes.
TABLE_VERSION = 2


def solved_table(induction: Induction, document: Document, player: int, following: Rows, steps: int) -> Document:
    """A player's best mixes in round 1 as a solved policy, in the form that a policy file holds."""
    battle = induction.battle
    own, other = battle.titans[player], battle.titans[1 - player]
    charges = [len(charge_nodes(battle, each, steps + 1)) for each in (player, 1 - player)]
    sizes = {
        "own_hp": min(int(own.max_hp), steps),
        "enemy_hp": min(int(other.max_hp), steps),
        "own_charge": charges[0],
        "enemy_charge": charges[1],
    }
    own_hp = _middles(int(own.max_hp), sizes["own_hp"])
    enemy_hp = _middles(int(other.max_hp), sizes["enemy_hp"])
    axes = np.meshgrid(own_hp, enemy_hp, _charges(charges[0]), _charges(charges[1]), indexing="ij")
    own_side, enemy_side = (axes[0].ravel(), axes[2].ravel()), (axes[1].ravel(), axes[3].ravel())
    first, second = (own_side, enemy_side) if player == 0 else (enemy_side, own_side)
    states = np.stack([np.zeros(axes[0].size), first[0], second[0], first[1], second[1]], axis=1).astype(np.int64)
    _, mixes = induction.look(states, 1, following)
    choices = list(range(codes.FIRST_ABILITY + int(own.ability_count)))
    weights = np.round(mixes[:, player, choices] * LARGEST_WEIGHT).astype(np.uint8)
    text = base64.b64encode(weights.tobytes()).decode()
    return {"solved": {**sizes, "choices": names_of(document, player, choices), "weights": text}}


def _middles(full: int, steps: int) -> Rows:
    """The middle HP of each step."""
    return np.array([(step * full // steps + 1 + (step + 1) * full // steps) // 2 for step in range(steps)])


def _charges(steps: int) -> Rows:
    """A charge for each step: a grid node if one falls into it, else its middle."""
    span = codes.MAX_CHARGE + 1
    lows = [math.ceil(step * span / steps) for step in range(steps)]
    highs = [math.ceil((step + 1) * span / steps) - 1 for step in range(steps)]
    nodes = [round(step * codes.MAX_CHARGE / max(1, steps - 1)) for step in range(steps)]
    return np.array(
        [node if low <= node <= high else (low + high) // 2 for low, high, node in zip(lows, highs, nodes, strict=True)]
    )


def equilibrium(document: Document, player: int) -> tuple[Document, float | None]:
    """The policy for a scenario's "equilibrium", with the approximate error of the duel's value, or None.

    Solves it once on a coarse grid and caches it by everything it depends on.

    Raises:
        InputError: it must be solved, but compiling is off.
    """
    without_policies = [{**entry, "policy": {"choices": []}} for entry in document["players"]]
    asked = {**document, "players": without_policies}
    identity = {key: asked[key] for key in ("options", "players", "abilities")}
    key = fingerprint({"version": TABLE_VERSION, "rules": codes.RULES_VERSION, "player": player, **identity})
    file = cache_root() / "solved" / f"{key[:32]}.json"
    with suppress(OSError, msgspec.MsgspecError):
        kept = msgspec.json.decode(file.read_bytes(), type=Kept)
        return {"solved": kept.solved}, kept.error
    battle = compile_battle(asked, {}).record[0]
    start = start_of(battle)
    fine, coarse = Induction(battle, QUICK_STATES), Induction(battle, QUICKER_STATES)
    following = fine.following(start.round)
    value = fine.stage(start, following).value
    coarse_value = coarse.stage(start, coarse.following(start.round)).value
    are_alike = fine.grid.is_like(coarse.grid)
    error = value_error(value, coarse_value, is_exact=fine.grid.is_exact, are_alike=are_alike)
    policy = solved_table(fine, asked, player, following, QUICK_STEPS)
    _store(file, Kept(policy["solved"], error))
    return policy, error


class Kept(msgspec.Struct):
    """A solved duel in the cache."""

    solved: dict[str, Any]
    error: float | None


def _store(file: Path, kept: Kept) -> None:
    """Write to the cache; if that fails, the duel is solved again next time."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_suffix(".part")
        temporary.write_bytes(msgspec.json.encode(kept))
        temporary.replace(file)
