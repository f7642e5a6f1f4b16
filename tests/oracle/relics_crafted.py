"""Scenarios of relics that are made for one corner of the rule book each; `relics_scenarios.py` has the random ones."""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]

STATUSES = ("freeze", "thorns", "poison", "acid", "riptide", "stun", "regen")


def build(*bodies: Document, **values: Any) -> Document:
    """Make a fighter whose items do what is given, one each."""
    stats = {} if "state" in values else {"stats": {"health": 60, "attack": 2, "armor": 0, "speed": 1}}
    items = [{"id": f"item-{number}", **body} for number, body in enumerate(bodies)]
    return {"items": items} | stats | values


def doing(**triggers: Any) -> Document:
    """Make a body that does things."""
    return {"triggers": triggers}


def holding(*modifiers: Any) -> Document:
    """Make a body with modifiers."""
    return {"modifiers": list(modifiers)}


def duel(left: Document, right: Document, **options: Any) -> Document:
    """Make a battle."""
    options = {"turn_cap": 12} | options
    return {"ruleset": "relics", "id": "duel", "options": options, "left": left, "right": right}


def answers_without_end() -> Document:
    """Make effects that answer each other until every guard has dropped one."""
    echo = [{"do": [["gain_armor", 1]]} for _ in range(3)]
    shields = [doing(armor_gained=echo, turn_start=[["gain_armor", 1]]) for _ in range(12)]
    return duel(build(*shields), build(doing(turn_start=[["heal", 1]])), turn_cap=2)


def a_deep_answer() -> Document:
    """Make a chain of answers of which each has its own counter, so that it ends at the depth that is allowed."""
    links = []
    for number in range(12):
        entries = [{"do": [["gain_speed", 1]], "per_battle": 1} for _ in range(3)]
        links.append(doing(speed_gained=entries, battle_start=[["gain_speed", number % 2]]))
    return duel(build(*links), build(*links), turn_cap=2)


def bounds_of_everything() -> Document:
    """Make everything as large and as small as it can be."""
    names = ("armor", "attack", "speed")
    grow: list[Any] = [["gain", name, 9999, "both", {"repeat": 2}] for name in (*names, "health")]
    grow += [["give", name, 9999, "both", {"repeat": 2}] for name in STATUSES]
    shrink: list[Any] = [["lose", name, 9999, "both", {"repeat": 3}] for name in names]
    shrink += [["lose", "health", 9998, "enemy"], ["lose", "health", 9999], ["temporary_attack", 9999, {"repeat": 3}]]
    counting: list[Any] = [["count", 9999], ["count", 9999], ["set_counter", 3], ["count", 0], ["set_counter", 3]]
    counting += [["gain_atk", {"of": "counter", "times": 9999, "per": 2}], ["set", "health", 0], ["double", "speed"]]
    brim = doing(battle_start=(grow + shrink)[:16])
    rest = doing(battle_start=[*shrink, *counting], turn_start=[["delay", 9999, "self"]])
    late = doing(countdown={"n": 9999, "do": [["gain_atk", 1]]}, on_hit=[["pierce", 9999, {"repeat": 3}]])
    return duel(
        build(brim, rest, late), build(late, holding(["damage_taken_pct", 1000], *[["damage_taken", 9999]] * 2))
    )


def more_strikes_than_allowed() -> Document:
    """Make more strikes than a turn may have, and more runs on hit than a strike may have."""
    often = doing(battle_start=[["extra_strikes", 9, "every_turn"], ["extra_strikes", 9, "next_turn"]])
    now = doing(turn_start=[["extra_strikes", 1]], turn_end=[["extra_strikes", 2, "now", "both"]])
    runs = holding(["on_hit_runs", 40, {"if": "strike == 2"}], ["on_hit_runs", -3, {"if": "strike == 3"}])
    few = holding(["strikes", -4, {"if": "self.own_turn == 2"}], ["strikes", {"of": "self.own_turn"}])
    hit = doing(on_hit=[["count", 1]], every_n_strikes={"n": 3, "do": [["gain_armor", 1]]})
    stunned = doing(strike_skipped=[["give", "stun", 1, "self", {"if": "payload_gte_2"}], ["extra_strikes", 1]])
    return duel(
        build(often, now, hit, runs, stats={"health": 900}),
        build(few, hit, stunned, now, state={"hp": 900, "hp_max": 900, "atk": 1, "stun": 9}),
        turn_cap=6,
    )


def beyond_the_bounds() -> Document:
    """Take more HP than there can be, and more per cent than there are."""
    away: list[Any] = [[name, -70] for name in ("attack_pct", "damage_taken_pct", "healing_pct")]
    blow = doing(on_hit=[["pierce", 9999, {"repeat": 3}], ["lose_hp", 9999, "both", {"repeat": 2}]])
    weak = holding(*away, *away, ["damage_dealt_pct", -100], ["damage_dealt_pct", -100], ["healing", 5])
    tender = doing(turn_start=[["heal", 3], ["deal", 4]], hp_lost=[["heal", 9999, "both"]])
    less = holding(["damage_taken", -3], ["armor_gained", -600], ["stacks_given", "regen", -400])
    less |= doing(turn_end=[["gain_armor", 700], ["give", "regen", 500, "both"]])
    least = holding(["damage_taken", {"of": "self.speed", "times": -9999, "per": 2}], ["damage_dealt", -999])
    return duel(build(tender, weak, less), build(blow, tender, least), turn_cap=8)


def stunned_again() -> Document:
    """Lose a stun, and gain one because of that, before anything answers the strike that was skipped."""
    back = doing(status_lost={"of": "stun", "per_turn": 1, "do": [["give", "stun", 2, "self"]]})
    told = doing(
        strike_skipped=[["gain_armor", {"of": "payload"}], ["deal", 1]], battle_start=[["give", "stun", 1, "both"]]
    )
    return duel(build(back, told), build(told), turn_cap=5)


def struck_at_the_edges() -> Document:
    """Lose HP in a strike step, but neither by the strike nor while it is being answered."""
    stunned = doing(battle_start=[["gain_thorns", 3], ["give", "stun", 1, "self"]], strike_skipped=[["lose_hp", 1]])
    hurt = doing(wounded=[["deal", 2]])
    strong: Document = {"health": 60, "attack": 35}
    told = holding(["attack", 1, {"if": "payload == 0"}], ["attack", {"of": "payload"}])
    return duel(build(stunned, hurt), build(doing(battle_start=[["gain_thorns", 3]]), told, stats=strong), turn_cap=3)


def phase(**triggers: Any) -> Document:
    """Make what somebody becomes."""
    return {"name": "Risen", "stats": {"health": 9, "attack": 3, "armor": 2, "speed": 5}, "triggers": triggers}


def hurt_by_a_death() -> Document:
    """Lose HP while the fallen are looked for after a strike, which is no part of it."""
    keeper = doing(battle_start=[["gain_thorns", 3]], on_kill=[["lose_hp", 1]])
    strong: Document = {"health": 30, "attack": 40}
    return duel(build(keeper, stats=strong), build(stats={"health": 30}, phases=[phase(battle_start=[["deal", 1]])]))


def risings(death_check: str) -> Document:
    """Make fighters that fall and rise, one of whom takes the other along."""
    counting = {"n": 4, "do": [["give", "random", 1, "both"]]}
    first = phase(battle_start=[["lose_hp", 20, "enemy"]], countdown=counting, on_kill=[["pierce", 1]])
    second = phase(battle_start=[["deal", 3], ["heal", 1]], countdown={"n": 2, "do": [["gain_atk", 1]]})
    third = phase(battle_start=[["reset_countdowns"], ["hasten", 2]], countdown=counting, turn_end=[["heal", 2]])
    keeper = doing(on_kill=[["lose_hp", 4], ["gain_armor", {"of": "payload"}]], hp_lost=[["count", 1]])
    thorny = doing(battle_start=[["gain_thorns", 3]], wounded=[["deal", 5]], enemy_wounded=[["execute", 4]])
    own = doing(countdown=[counting, {"n": 1, "do": [["hasten", 1], ["delay", 2, "enemy"]]}])
    left = build(keeper, thorny, **own, phases=[first, second], stats={"health": 12, "attack": 6, "armor": 2})
    right = build(keeper, thorny, phases=[second, third, third], stats={"health": 10, "attack": 4})
    return duel(left, right, death_check=death_check, turn_cap=24, fatigue_start=6)


def risings_in_steps() -> Document:
    """Look for the fallen at the end of steps."""
    return risings("steps")


def risings_at_once() -> Document:
    """Look for the fallen at once."""
    return risings("at_once")


def thresholds_of_both() -> Document:
    """Make strikes in which both become Exposed and Wounded, and answer each other."""
    answer = doing(
        exposed=[["gain_thorns", 1], ["deal", 4]],
        wounded=[["heal", 30], ["deal", 4, "both"]],
        enemy_exposed=[["pierce", 3]],
        enemy_wounded=[["gain_armor", 2], ["lose_hp", 9, "both"]],
        on_struck=[["deal", 6], ["lose", "armor", "all", "both"]],
    )
    stats = {"health": 30, "attack": 9, "armor": 5}
    slow = build(answer, answer, stats=stats | {"attack": 1})
    return duel(build(answer, doing(on_hit=[["lose_hp", 11]]), stats=stats), slow)


def retaliations() -> Document:
    """Make retaliations that cause damage, are retriggered, and kill those who come back."""
    back = doing(on_damaged=[["deal", 1], ["gain_thorns", 1]], hp_lost=[["deal", 1, {"if": "self.own_turn < 4"}]])
    again = doing(on_struck=[["retrigger", "on_damaged"], ["retrigger", "hp_lost", "left"]], on_kill=[["deal", 3]])
    burst = doing(enemy_wounded=[["deal", 2]], armor_lost=[["deal", 1]], on_damaged=[["gain_armor", 1]])
    risen = phase(battle_start=[["deal", 2]], on_damaged=[["pierce", 2]])
    return duel(
        build(back, again, burst, flags=["on_damaged_deal_damage", 2], phases=[risen]),
        build(burst, back, again, flags=["on_damaged_gain_thorns", 1], phases=[risen]),
        turn_cap=16,
        death_check="at_once",
    )


def again_and_again() -> Document:
    """Retrigger all that can be, of neighbours, of tags, at random; limits count, `n` and `of` do not."""
    clock = doing(countdown={"n": 3, "do": [["count", 1]]}, every_n_turns={"n": 7, "do": [["gain_atk", 1]]})
    status = doing(status_gained={"of": "acid", "per_turn": 2, "do": [["gain_armor", 1]]}, pre=[["gain_speed", 1]])
    caller = doing(
        turn_start=[["retrigger", "countdown", "left"], ["retrigger", "status_gained", "right"]],
        turn_end=[["retrigger", "every_n_turns", "random"], ["retrigger", "pre", "all", "gem"]],
        on_hit=[["retrigger", "on_hit"], ["retrigger", "turn_start", "random"]],
        countdown={"n": 2, "do": [["retrigger", "countdown", "random", {"repeat": 2}], ["reset_countdowns"]]},
    )
    hit = doing(on_hit=[["onhit_extra_damage", 1], ["onhit_gain_armor", 1], ["onhit_remove_enemy_armor"]])
    gems = {"tags": ["gem", "blade"]}
    left = build(clock | gems, caller, status, hit, clock, caller | gems, weapon={"id": "sword", **hit, **gems})
    right = build(caller, hit, status | gems, food=[{"id": "pie", **clock}], upgrades=[{"id": "oil", **caller}])
    return duel(left, right, onhit_order="damage_first")


def neighbours() -> Document:
    """Retrigger what stands beside the first and the last item, and what belongs to another phase."""
    both = [["retrigger", "turn_end", "left"], ["retrigger", "turn_end", "right"]]
    edge = doing(turn_start=both, turn_end=[["count", 1]])
    plain = doing(turn_end=[["count", 1]])
    pick = doing(turn_start=[["retrigger", "turn_end", "random", {"repeat": 3}]])
    others = {"upgrades": [{"id": f"oil-{n}", **edge} for n in range(4)], "food": [{"id": "pie", **edge}]}
    full = build(edge, *[plain] * 9, pick, edge, **others, phases=[phase(turn_end=[["heal", 1]])])
    few = build(plain, pick, plain, plain, phases=[phase(turn_end=[["heal", 1]])])
    return duel(full, few, turn_cap=4)


def prices() -> Document:
    """Spend, steal, move and convert what is there and what is not."""
    what = ("hp", "armor", "attack", "speed", "thorns")
    rich = doing(
        turn_start=[
            {"do": [["spend", name, 1], ["gain_armor", 1], ["spend", name, "all"], ["count", 1]]} for name in what
        ],
        turn_end=[{"do": [["spend", name, 3, {"repeat": 3}], ["gain_thorns", 2]]} for name in what],
    )
    give = doing(battle_start=[["give", "each", 3, "both"], ["gain", "attack", 3, "both"], ["gain_armor", 5]])
    take = doing(
        turn_start=[
            ["steal", "armor", "all"],
            ["steal", "health", 3],
            ["steal", "speed", 9],
            ["steal", "attack", "all"],
        ],
        turn_end=[["move", "random", "all"], ["move", "each", 1, "self"], ["move", "poison", "all", "self"]],
        on_struck=[
            ["convert", "hp", "armor", "all"],
            ["convert", "random", "hp", "all"],
            ["convert", "armor", "hp", 2],
        ],
        on_heal=[["convert", "random", "regen", 2, "random"], ["remove", "random", "all", "random"]],
        on_hit=[["enemy_hp_to_enemy_armor_pct", 33], ["convert", "attack", "attack", 1], ["set", "speed", 1]],
    )
    deep = {"hp": 20, "hp_max": 50, "atk": -5, "armor": 7, "speed": -3, "regen": 4, "riptide": 2}
    strong = build(rich, give, holding(["stacks_given", "acid", 2], ["armor_gained", -2], ["immune", "stun"]))
    return duel(strong, build(take, holding(["healing", 2], ["healing_pct", 50]), state=deep), turn_cap=10)


def many_rolls() -> Document:
    """Roll so often in a turn that a block of words is not enough."""
    luck = doing(turn_start=[["give", "random", 1, "random", {"repeat": 20, "chance": 60}]])
    tries = doing(
        turn_end=[{"chance": 50, "do": [["deal", 1, "random", {"chance": 50, "repeat": 9}]]} for _ in range(9)]
    )
    return duel(build(luck, tries), build(tries, luck), tie_breaker="random", turn_cap=6)


CRAFTED = {
    make.__name__: make
    for make in (
        answers_without_end,
        a_deep_answer,
        bounds_of_everything,
        more_strikes_than_allowed,
        beyond_the_bounds,
        stunned_again,
        struck_at_the_edges,
        hurt_by_a_death,
        risings_in_steps,
        risings_at_once,
        thresholds_of_both,
        retaliations,
        again_and_again,
        neighbours,
        prices,
        many_rolls,
    )
}
