"""What a player of titans sees at the start of a round, and what it may choose. titans/README.md, Session."""

from __future__ import annotations

from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.titan_stats import ability_at, is_legal, is_sudden_death, opponent_of, titan_at


@kernel
def mark_legal(battle, side: int, mask) -> None:
    """Which of its choices a titan has and can pay for: 1, else 0 (README, Choices)."""
    for choice in range(codes.CHOICES):
        mask[choice] = 1 if battle.reason == codes.UNDECIDED and is_legal(titan_at(battle, side), choice) else 0


@kernel
def see_duel(battle, side: int, seen, anew: bool) -> None:
    """What a player knows at the start of a round (README, analysis/agent_interface.py names the entries).

    `anew` is False where `seen` has what was written for an earlier state of this battle.
    """
    one = titan_at(battle, side)
    other = opponent_of(battle, one)
    seen[0] = min(battle.tick / battle.options.round_cap, 1.0)
    seen[1] = 1.0 if is_sudden_death(battle) else 0.0
    place = see_titan(battle, one, True, seen, 2)
    place = see_titan(battle, other, battle.options.stats_public != 0, seen, place)
    if anew:
        place = see_abilities(battle, one, seen, place)
        see_abilities(battle, other, seen, place)


@kernel
def see_titan(battle, one, with_stats: bool, seen, index: int) -> int:
    """Write down what a player knows of a titan; where the next entry goes."""
    seen[index] = one.hp / one.max_hp
    seen[index + 1] = min(one.max_hp / 1000, codes.LARGEST_SEEN)
    seen[index + 2] = one.charge / codes.MAX_CHARGE
    index += 3
    for stat in range(len(codes.STATS)):
        seen[index + stat] = min(one.now[stat] / 100, codes.LARGEST_SEEN) if with_stats else 0.0
    index += len(codes.STATS)
    for choice in range(codes.CHOICES):
        seen[index + choice] = 1.0 if one.last_choice == choice else 0.0
    return index + codes.CHOICES


@kernel
def see_abilities(battle, one, seen, index: int) -> int:
    """Write down what a titan's abilities cost and which kinds of effects they have; where the next entry goes.

    README, Abilities.
    """
    for slot in range(codes.OWN_ABILITIES):
        for entry in range(codes.EFFECT_SLOTS + 1):
            seen[index + entry] = 0.0
        if slot < one.ability_count:
            seen[index] = one.costs[slot] / codes.MAX_CHARGE
            ability = ability_at(battle, one.abilities[slot])
            for number in range(ability.effect_count):
                seen[index + 1 + ability.effects[number].kind] = 1.0
        index += codes.EFFECT_SLOTS + 1
    return index


@kernel
def see_lasting(battle, side: int, seen, first: int) -> None:
    """Write for how many rounds each stat change that an ability can make still lasts; 0 while it does not.

    README, Stat changes.
    """
    position = first
    if battle.titans[0].active == 0 and battle.titans[1].active == 0:
        for entry in range(codes.PLAYERS * codes.OWN_ABILITIES * codes.MAX_EFFECTS):
            seen[position + entry] = 0.0
        return
    for turn in range(codes.PLAYERS):
        one = titan_at(battle, side if turn == 0 else 1 - side)
        for slot in range(codes.OWN_ABILITIES):
            for number in range(codes.MAX_EFFECTS):
                left = 0
                if slot < one.ability_count:
                    ability = ability_at(battle, one.abilities[slot])
                    effect = ability.effects[number]
                    if number < ability.effect_count and effect.kind == codes.CHANGE_EFFECT:
                        bearer = one if effect.on_self != 0 else opponent_of(battle, one)
                        left = max(bearer.until[effect.change & codes.CHANGE_MASK] - battle.tick + 1, 0)
                seen[position] = left * 0.1
                position += 1
