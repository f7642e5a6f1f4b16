"""Random valid scenarios for property tests, benchmarks and fuzzing. The same number gives the same scenario.

Numbers cycle through the kinds of maps and the profiles. Scenarios use no shipped content, so new content changes none.
"""

from __future__ import annotations

from typing import Any

from fracas.rulesets.contract.types import Document
from fracas.rulesets.shared.random_choices import Choices
from fracas.rulesets.stacks.content.map_grid import Place, around, key_of, neighbours
from fracas.rulesets.stacks.content.world_models import Map
from fracas.rulesets.stacks.content.world_resolver import CHOSEN_MOVES
from fracas.rulesets.stacks.rules import constants as codes

PROFILES = ("seed", "original")
FACTIONS = ("red", "blue", "gold", "grey")
ATTACKER, DEFENDER = FACTIONS[:2]
# Red and blue are never allied, so that there is always someone to attack.
POSSIBLE_ALLIANCES = (("gold", "red"), ("gold", "blue"), ("grey", "blue"), ("grey", "gold"))
HARMFUL = tuple(name for name in CHOSEN_MOVES if name in codes.HARMFUL_MOVES)


def random_scenario(seed: int) -> Document:
    """A random attack over all features of stacks: any map, allies, bystanders, all move types, every option."""
    dice = Choices(f"stacks scenario {seed}")
    world, stack, tile = _world(dice, codes.MAP_KINDS[seed % len(codes.MAP_KINDS)])
    attack: Document = {"stack": stack, "tile": list(tile)}
    if dice.below(8) == 0:
        attack["number"] = dice.between(1, 9)
    return {**_head(dice, seed), **world, "attack": attack}


def random_campaign(seed: int) -> Document:
    """A random campaign: several attacks on one map, some of which are skipped as no longer possible."""
    dice = Choices(f"stacks campaign {seed}")
    world, stack, tile = _world(dice, codes.MAP_KINDS[seed % len(codes.MAP_KINDS)])
    attacks: list[Document] = [{"stack": stack, "tile": list(tile)}]
    tiles = Map(**world["map"])
    for _ in range(dice.between(2, 5)):
        attacker = dice.choose(world["stacks"])
        places = list(neighbours(tiles, (attacker["at"][0], attacker["at"][1])).values())
        attacks.append({"stack": attacker["id"], "tile": list(dice.choose(places))})
    return {**_head(dice, seed), **world, "attacks": attacks}


def _head(dice: Choices, seed: int) -> Document:
    profile = PROFILES[seed // len(codes.MAP_KINDS) % len(PROFILES)]
    options = _options(dice) if dice.below(2) else {}
    return {"ruleset": "stacks", "id": f"random-{seed}", "profile": profile, "options": options}


def _options(dice: Choices) -> Document:
    options = {
        "sides": dice.choose(codes.SIDE_RULES),
        "order": dice.choose(codes.ORDERS),
        "valuation": dice.choose(codes.VALUATIONS),
        "charge_estimate": dice.choose(codes.CHARGE_ESTIMATES),
        "charge_damage": dice.choose(codes.DAMAGE_SCORES),
        "riposte_damage": dice.choose(codes.DAMAGE_SCORES),
        "riposte_to": dice.choose(codes.PROVOCATIONS),
        "least_score": dice.below(2),
        "heal_limit": dice.below(4),
        "heal_self": dice.below(2) == 1,
        "idle_rule": dice.choose(codes.IDLE_RULES),
        "first_turn_idle": dice.below(2) == 1,
        "idle_turns": dice.between(1, 5),
        "stale_turns": dice.below(8),
        "turn_cap": dice.between(2, 40),
        "advance": dice.below(2) == 1,
    }
    return {name: value for name, value in options.items() if dice.below(2)}


def _world(dice: Choices, kind: str) -> tuple[Document, str, Place]:
    """A world, and the stack and tile of a possible attack on it."""
    tiles = Map.model_validate({"kind": kind, "width": dice.between(3, 7), "height": dice.between(3, 7)})
    target = dice.between(1, tiles.width - 2), dice.between(1, tiles.height - 2)
    beside = list(neighbours(tiles, target).values())
    start = beside.pop(dice.below(len(beside)))
    stacks = [_stack(dice, "vanguard", ATTACKER, start)]
    is_held = dice.below(6) > 0
    if is_held:
        stacks.append(_stack(dice, "garrison", DEFENDER, target))
    for number, place in enumerate(dice.some(beside, 0, 3)):
        stacks.append(_stack(dice, f"others-{number}", dice.choose(FACTIONS), place))
    far = [(x, y) for x in range(tiles.width) for y in range(tiles.height)]
    far = [place for place in far if place not in around(kind, target)]
    if far and dice.below(2):
        stacks.append(_stack(dice, "far-away", dice.choose(FACTIONS), dice.choose(far)))
    owned = {key_of(place): {"owner": dice.choose(FACTIONS)} for place in dice.some(beside, 0, 2)}
    if not is_held:
        owned[key_of(target)] = {"owner": DEFENDER}
    elif dice.below(2):
        owned[key_of(target)] = {"owner": dice.choose((ATTACKER, DEFENDER, "gold"))}
    world: Document = {"map": tiles.model_dump(), "factions": _factions(dice), "tiles": owned, "stacks": stacks}
    return world, "vanguard", target


def _factions(dice: Choices) -> dict[str, Document]:
    allies: dict[str, list[str]] = {name: [] for name in FACTIONS}
    for name, other in POSSIBLE_ALLIANCES:
        if dice.below(5) < 2:
            allies[name].append(other)
    return {name: {"allies": others} if others else {} for name, others in allies.items()}


def _stack(dice: Choices, name: str, owner: str, place: Place) -> Document:
    count = dice.between(1, codes.STACK_SLOTS) if dice.below(8) == 0 else dice.between(1, 3)
    units = [_unit(dice, number) for number in range(count)]
    return {"id": name, "owner": owner, "at": list(place), "units": units}


def _unit(dice: Choices, number: int) -> dict[str, Any]:
    moves = dice.some(CHOSEN_MOVES, 1, 3)
    # Most units can do harm, so that most battles are decided.
    if not set(moves) & set(HARMFUL) and dice.below(4):
        moves.append(dice.choose(HARMFUL))
    health = dice.between(1, 30)
    unit: dict[str, Any] = {
        "id": f"unit-{number}",
        "attack": dice.below(11),
        "defence": dice.below(8),
        "damage": dice.below(10),
        "health": health,
        "initiative": dice.below(4),
        "moves": moves,
    }
    return unit | ({"current": dice.between(1, health)} if dice.below(3) == 0 else {})
