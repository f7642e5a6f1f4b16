"""Hypothesis strategies for squads scenarios: small battles at the edges of what is allowed."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from tests.helpers.soak import times

from fracas.rulesets.squads.rules.constants import CLASSES, PRIORITIES, SELECTORS, STAGES

# Derandomised: a failure is a bug of today's rules or today's test, not of the day's luck.
checked = settings(
    derandomize=True,
    deadline=None,
    max_examples=times(30),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

LARGEST = 10**6
FORMATIONS = ("aggressive", "defensive", "balanced", "flanking")
CONDITIONS = (
    None,
    "always",
    "not always",
    "ally_hp_below_70",
    "self_hp_below_50 or enemy_count_lte_1",
    "not self_has_buff",
    "self_is_debuffed",
    "any_enemy_has_buff and round_gte_2",
    "enemies.any(stunned) or allies.count(taunting) >= 1",
    "allies.lowest_hp_pct < 40 or enemies.highest_hp_pct > 90",
    "self.charge >= 40 and self.cooldown == 0",
)

# Ordinary numbers, and now and then one at the edge.
stats = st.one_of(st.integers(1, 60), st.integers(1, 60), st.sampled_from((1, LARGEST - 1, LARGEST)))
percents = st.one_of(st.integers(0, 150), st.sampled_from((0, 1, 99, 100, 1000)))
rounds = st.one_of(st.integers(1, 3), st.just(1000))


def powers() -> st.SearchStrategy[dict[str, int]]:
    names = ("attack", "defense", "max_hp")
    shares = st.fixed_dictionaries(dict.fromkeys(names, percents))
    return shares.filter(lambda power: any(power.values()))


def effects(hostile: bool) -> st.SearchStrategy[dict[str, Any]]:
    """One effect of an ability that reaches enemies, or allies."""
    if hostile:
        return st.one_of(
            powers().map(lambda power: {"type": "damage", **power}),
            powers().map(lambda power: {"type": "damage", **power}),
            st.builds(lambda p, r: {"type": "attack_down", "percent": p, "rounds": r}, st.integers(1, 90), rounds),
            st.just({"type": "stun"}),
            st.builds(lambda power, r: {"type": "damage_over_time", "rounds": r, **power}, powers(), rounds),
        )
    return st.one_of(
        powers().map(lambda power: {"type": "heal", **power}),
        st.builds(lambda power, r: {"type": "shield", "rounds": r, **power}, powers(), rounds),
        st.builds(lambda p, r: {"type": "attack_up", "percent": p, "rounds": r}, st.integers(1, 1000), rounds),
        rounds.map(lambda r: {"type": "taunt", "rounds": r}),
    )


@st.composite
def abilities(draw: Any, name: str) -> dict[str, Any]:
    hostile = draw(st.booleans())
    reach = draw(st.sampled_from(("one_enemy", "all_enemies") if hostile else ("one_ally", "all_allies", "self")))
    return {
        "id": name,
        "name": name.title(),
        "reach": reach,
        "cooldown": draw(st.integers(0, 4)),
        "effects": draw(st.lists(effects(hostile), min_size=1, max_size=4)),
    }


@st.composite
def stages(draw: Any) -> dict[str, Any]:
    name = draw(st.sampled_from(STAGES))
    amount = st.sampled_from((0, 1, 7, 10**9))
    parameters: dict[str, Any] = {
        "class_advantage": {"strong": percents, "weak": percents},
        "critical": {"chance": st.integers(0, 100), "multiplier": percents},
        "defense": {"percent": percents, "at_least": amount},
        "minimum": {"at_least": amount},
        "fatigue": {"after": st.integers(0, 5), "per_round": percents},
        "scale": {"percent": percents},
        "add": {"amount": amount},
        "cap": {"at_most": amount},
    }.get(name, {})
    return {"stage": name, **{key: draw(value) for key, value in parameters.items()}}


def modifier_numbers() -> st.SearchStrategy[dict[str, int]]:
    return st.fixed_dictionaries(
        {},
        optional={
            "damage": percents,
            "defense": percents,
            "healing": percents,
            "speed": percents,
            "critical_chance": st.integers(0, 100),
            "critical_multiplier": percents,
        },
    )


@st.composite
def sides(draw: Any, names: tuple[str, ...]) -> dict[str, Any]:
    owned = st.sampled_from(names)
    units = [
        {
            "id": f"u{number}",
            "class": draw(st.sampled_from(CLASSES)),
            "hp": draw(stats),
            "attack": draw(stats),
            "defense": draw(st.one_of(st.integers(0, 40), st.just(LARGEST))),
            "speed": draw(st.one_of(st.integers(1, 4), st.just(LARGEST))),
            "class_ability": draw(owned),
            "ultimate": draw(owned),
        }
        for number in range(draw(st.sampled_from((1, 1, 2, 3, 3, 8))))
    ]
    orders = {
        name: {"when": draw(st.sampled_from(CONDITIONS)), "target": draw(st.sampled_from(SELECTORS[1:]))}
        for name in draw(st.sets(owned))
    }
    if draw(st.booleans()):
        orders["basic_attack"] = {"target": draw(st.sampled_from(SELECTORS[1:]))}
    return {
        "units": units,
        "strategy": {
            "formation": draw(st.sampled_from(FORMATIONS)),
            "targetPriority": draw(st.lists(st.sampled_from(tuple(PRIORITIES)), max_size=3)),
            "abilities": orders,
        },
    }


@st.composite
def scenarios(draw: Any) -> dict[str, Any]:
    """A valid scenario whose battle is short."""
    names = ("one", "two", "three", "four")
    options: dict[str, Any] = {
        "round_cap": draw(st.integers(1, 12)),
        "healer_threshold": draw(st.integers(0, 100)),
        "healer_fallback": draw(st.sampled_from(("unless_configured", "always"))),
        "ultimate_rule": draw(st.sampled_from(("charge", "cooldown"))),
        "charge_action": draw(st.sampled_from((0, 20, 50, 100))),
        "charge_hit": draw(st.sampled_from((0, 10, 100))),
        "cap_tie": draw(st.sampled_from(("draw", "side1"))),
    }
    if draw(st.booleans()):
        options["chain"] = {"stages": draw(st.lists(stages(), max_size=8))}
    return {
        "ruleset": "squads",
        "id": "drawn",
        "profile": draw(st.sampled_from(("classic", "tuned", "legacy"))),
        "modifier": draw(
            st.one_of(
                st.none(),
                st.builds(
                    lambda numbers, classes: {"id": "weather", "name": "Weather", **numbers, "classes": classes},
                    modifier_numbers(),
                    st.dictionaries(st.sampled_from(CLASSES), modifier_numbers(), max_size=2),
                ),
            )
        ),
        "options": options,
        "abilities": {name: draw(abilities(name)) for name in names},
        "sides": [draw(sides(names)), draw(sides(names))],
    }
