"""Each kind of check can fail: a rule is bent, and the test that is about it must notice."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from tests.helpers.rules import Rule, bend
from tests.rules.delve.rules import (
    test_encounters,
    test_full_simulation,
    test_loot,
    test_order_of_play,
    test_play_until,
    test_queues,
    test_rolls,
    test_runs,
    test_status_conditions,
    test_targets,
)

Case = tuple[str, Callable[[Rule], Rule], Callable[[], Any]]


def nothing(kept: Rule) -> Rule:
    """A rule that is forgotten."""
    return lambda *arguments: None


def always(value: Any) -> Callable[[Rule], Rule]:
    """A rule with one answer only."""
    return lambda kept: lambda *arguments: value


def one_more(kept: Rule) -> Rule:
    """A rule whose answer is one too high."""
    return lambda *arguments: kept(*arguments) + 1


def reversed_answer(kept: Rule) -> Rule:
    """A rule that says the contrary."""
    return lambda *arguments: not kept(*arguments)


def twice(kept: Rule) -> Rule:
    """A rule that is applied twice."""

    def both(*arguments: Any) -> Any:
        kept(*arguments)
        return kept(*arguments)

    return both


def deaf(place: int, value: Any) -> Callable[[Rule], Rule]:
    """A rule that takes one of its arguments for something else."""

    def bent(kept: Rule) -> Rule:
        return lambda *arguments: kept(*arguments[:place], value, *arguments[place + 1 :])

    return bent


def case(rule: str, fault: Callable[[Rule], Rule], check: Callable[..., Any], *arguments: Any) -> Case:
    """A rule, what happens to it, and a test with its parameters that must notice."""
    return rule, fault, partial(check, *arguments)


CASES = [
    # rolls and damage
    case(
        "held_to_chance",
        lambda kept: lambda chance: chance,
        test_rolls.test_the_chance_to_hit,
        {},
        {"evasion": 100_000},
        {},
        5,
    ),
    case("hit_penalty", always(0), test_rolls.test_blindness_costs_its_bearer_thirty, 0, 30, 20),
    case("is_critical", always(False), test_rolls.test_what_a_roll_comes_to, 50, 5, "critical"),
    case("is_critical_fail", always(False), test_rolls.test_what_a_roll_comes_to, 95, 96, "fumble"),
    case("critical_limit", always(5), test_rolls.test_luck_moves_criticals_and_fumbles, 20, 6, 97),
    case("changed_by_conditions", one_more, test_rolls.test_difficulty_scales_the_damage_of_creatures, 100, 13, 13),
    case(
        "changed_by_conditions",
        lambda kept: lambda attacker, value: value,
        test_rolls.test_weakened_and_empowered_are_truncated_one_after_the_other,
        ("weakened",),
        9,
    ),
    case("calculate_damage", one_more, test_rolls.test_physical_damage, 10, {}, {}, False, (13, 13, 0, 13)),
    case("take_hit", twice, test_rolls.test_a_shield_absorbs_before_hp_are_lost, 5, 5, 8, None),
    case("credit_damage", nothing, test_rolls.test_what_the_partys_skills_cost_is_counted_for_statistics),
    # conditions
    case(
        "healing_received",
        lambda kept: lambda participant, healing: healing,
        test_status_conditions.test_bleeding_halves_healing_by_skills,
        True,
        5,
        4,
    ),
    case("work_of_tick", always(0), test_status_conditions.test_each_condition_ticks_by_itself, "burning"),
    case("forget_conditions", nothing, test_status_conditions.test_ticks_kill, "poisoned", 3, 3),
    case("fall", nothing, test_status_conditions.test_ticks_kill, "poisoned", 3, 3),
    case("remove_condition", nothing, test_status_conditions.test_a_stun_costs_one_action_only),
    case("apply_condition", nothing, test_status_conditions.test_stunning_the_stunned_is_lost),
    case(
        "begin_turn",
        always(True),
        test_status_conditions.test_a_stunned_participant_loses_its_action_and_the_stun_without_a_row_for_its_end,
    ),
    case("tick_conditions", twice, test_status_conditions.test_everybody_ticks_in_slot_order),
    # the order of play
    case("initiative_change", always(0), test_order_of_play.test_slowed_and_hasted_add_up, ("slowed",), 50),
    case(
        "order_key",
        lambda kept: lambda participant: kept(participant) & ~0xFF00,
        test_order_of_play.test_the_lowest_total_acts_first,
        (10, 10, 10, 10),
        (10, 40, 20, 30),
        "bdca",
    ),
    case(
        "roll_initiative",
        nothing,
        test_order_of_play.test_initiative_is_a_roll_plus_the_weapon_less_speed,
        50,
        0,
        30,
        20,
    ),
    case("log_rout", nothing, test_order_of_play.test_once_a_side_is_gone_nobody_else_acts_nor_loses_a_stun),
    case("regain", twice, test_order_of_play.test_resources_grow_up_to_their_maximum, 4, 0, 4),
    case("fastest", always(0), test_order_of_play.test_the_fastest_lead_the_flight, (30, 44), 30, 64, "1.b"),
    case(
        "try_to_flee",
        always(False),
        test_order_of_play.test_a_party_tries_to_flee_below_a_share_of_its_hp,
        50,
        (99, 0),
        True,
    ),
    case("test_end", always(0), test_order_of_play.test_who_is_gone_decides, ("2.b",), 1),
    # queues and targets
    case("rounds_to_wait", always(0), test_queues.test_a_cooldown_of_three_means_rounds_1_4_and_7, 3, "147"),
    case(
        "condition_holds", always(True), test_queues.test_without_any_slot_the_turn_is_passed_and_no_address_is_opened
    ),
    case(
        "has_target",
        always(True),
        test_queues.test_a_pure_heal_needs_somebody_who_is_hurt_among_those_it_reaches,
        "mend",
        "",
        False,
    ),
    case("pay", nothing, test_queues.test_a_cost_is_paid_for_a_miss_too),
    case("boss_present", always(1), test_queues.test_facts, "boss_present", {}, "z", 1, False),
    case(
        "count_matching",
        one_more,
        test_queues.test_facts,
        "enemies.count(poisoned) >= 2",
        {"x": "poisoned"},
        "",
        1,
        False,
    ),
    case(
        "enter_phase",
        lambda kept: lambda actor, phase: setattr(actor, "next_phase", actor.next_phase + 1),
        test_queues.test_what_a_phase_names_is_replaced,
    ),
    case("lowest_hp", one_more, test_targets.test_selectors_and_their_ties, "lowest_hp", "hp", (30, 30, 30, 30), "2.b"),
    case(
        "best_candidate",
        deaf(3, 1),
        test_targets.test_selectors_and_their_ties,
        "highest_threat",
        "level",
        (4, 9, 2, 5),
        "2.c",
    ),
    case(
        "nth_candidate",
        deaf(3, 0),
        test_targets.test_a_random_target_is_counted_in_slot_order_among_the_living,
        2,
        "2.e",
    ),
    case(
        "is_open_to",
        always(True),
        test_targets.test_healing_for_all_reaches_the_hurt_or_everybody,
        "chorus",
        ["1.a", "1.g"],
    ),
    # waysides
    case(
        "best_member", always(0), test_encounters.test_the_most_perceptive_looks_for_the_trap, (30, 31), (0, 0), "1.b"
    ),
    case("best_option", always(0), test_encounters.test_the_option_that_a_member_is_best_at_is_taken),
    case(
        "passes_check",
        reversed_answer,
        test_encounters.test_a_hazard_hurts_everybody_and_half_as_much_who_passes,
        9,
        True,
        4,
    ),
    case("harm", deaf(4, 1), test_encounters.test_a_hazard_hurts_everybody_and_half_as_much_who_passes, 9, True, 4),
    case("restore", twice, test_encounters.test_rest_restores_a_quarter_of_the_maximum, 100, 10, 25),
    case("outcome_of_step", always(1), test_encounters.test_a_trap_may_be_the_end),
    case(
        "end_fight",
        nothing,
        test_encounters.test_otherwise_the_outcome_is_the_fights,
        {"round_cap": 1},
        ["open(1, 0)", "d100=96"],
        "Survived",
    ),
    # runs and loot
    case("experience", one_more, test_runs.test_xp, (10, 5), 0, 100, 50, False, 15),
    case("lose_everything", nothing, test_runs.test_a_run_that_fails, 3, False),
    case("get_ready", nothing, test_runs.test_hp_and_resource_carry_over_and_nothing_else_does),
    case("copy_foe", nothing, test_runs.test_bosses_come_back_as_they_were),
    case("open_chest", nothing, test_runs.test_the_chest_is_for_who_survived_no_fight_merely, False, True),
    case("start_run", nothing, test_runs.test_a_battle_leaves_nothing_behind_for_the_next),
    case("generate_item", nothing, test_loot.test_an_item_is_found_if_the_roll_is_within_the_chance, 40, 40, True),
    case("log_item", nothing, test_loot.test_template_then_rarity_then_bonus_and_tier_by_turns),
    case("enhance_item", one_more, test_loot.test_a_patient_smith_comes_to_the_fifth_enhancement),
    # all of it
    case("roll_d100", one_more, test_full_simulation.test_a_known_run_goes_exactly_so),
    case("start_round", nothing, test_play_until.test_the_state_is_that_of_the_decision),
]


def test_the_honest_rules_pass() -> None:
    for _, _, check in CASES:
        check()


@pytest.mark.parametrize(("rule", "fault", "check"), CASES, ids=[f"{n}-{c[0]}" for n, c in enumerate(CASES)])
def test_a_bent_rule_is_noticed(
    rule: str, fault: Callable[[Rule], Rule], check: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    bend(monkeypatch, rule, fault, "delve")
    with pytest.raises((AssertionError, IndexError, ValueError)):
        check()
