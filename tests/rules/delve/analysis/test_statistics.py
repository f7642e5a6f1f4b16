"""What many runs tell is what single runs tell, added up: every figure is counted again from the events."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.helpers.chronicles import encounter_log, run_log
from tests.helpers.compiled import quickest
from tests.helpers.delve_scenarios import duel, loaded, played, run
from tests.helpers.scenarios import loaded as squads

import fracas
from fracas.lab.statistics.intervals import wilson_interval
from fracas.rulesets import registry
from fracas.rulesets.contract.measures import Share, Sums
from fracas.rulesets.delve.narration.chronicle import RunLog
from fracas.rulesets.delve.rules.constants import RARITIES

BATTLES = 32


@cache
def many(kind: str) -> list[fracas.Battle]:
    scenario = loaded(run(flee_below=25) if kind == "run" else duel())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FRACAS_JIT", quickest())
        return [fracas.run(scenario, stream=stream) for stream in range(BATTLES)]


@cache
def results(kind: str) -> fracas.Results:
    return fracas.simulate(many(kind)[0].scenario, n=BATTLES)


def rows(kind: str, name: str) -> list[dict[str, Any]]:
    return results(kind).statistics[name]


def events(battle: fracas.Battle, *kinds: str) -> list[Any]:
    return [event for event in battle.events if event.NAME in kinds]


def living(battle: fracas.Battle) -> set[str]:
    members = {name for name in battle.scenario.compiled.books["unit"][:8] if name}
    return members - {event.target for event in events(battle, "fall")}


def test_all_endings_occur():
    assert set(Counter(battle.reason for battle in many("run"))) == {"completed", "party_wipe", "fled"}
    assert set(Counter(battle.reason for battle in many("encounter"))) == {"victory", "party_wipe"}


@pytest.mark.parametrize("kind", ["run", "encounter"])
def test_endings_with_their_intervals(kind):
    counted = Counter(battle.reason.replace("_", " ") for battle in many(kind))
    shown = {row["ending"]: row for row in rows(kind, "endings")}
    assert {ending: row["battles"] for ending, row in shown.items()} == counted
    for ending, row in shown.items():
        assert row["share"] == counted[ending] / BATTLES
        assert row["interval95"] == list(wilson_interval(counted[ending], BATTLES))


def test_where_parties_fall_by_encounter_and_by_creature():
    wiped = [battle for battle in many("run") if battle.reason == "party_wipe"]
    places = Counter(run_log(battle).encounters[-1].number for battle in wiped)
    assert {row["encounter"]: row["runs"] for row in rows("run", "wipes")} == places
    names = [encounter["name"] for encounter in many("run")[0].scenario.document["quest"]["encounters"]]
    assert all(row["name"] == names[row["encounter"]] for row in rows("run", "wipes"))
    blows: Counter[Any] = Counter()
    for battle in wiped:
        last = [event for event in events(battle, "fall") if event.target.startswith("1.")][-1]
        encounter, creature = last.actor.removeprefix("2.").split(".")
        blows[int(encounter), creature.split("-")[0].title()] += 1
    assert {(row["encounter"], row["creature"]): row["wipes"] for row in rows("run", "last_blows")} == blows


@pytest.mark.parametrize("kind", ["run", "encounter"])
def test_survivors_all_together_and_each(kind):
    counted = Counter(len(living(battle)) for battle in many(kind))
    assert {row["members"]: row["battles"] for row in rows(kind, "survivors")} == {n: counted[n] for n in (2, 1, 0)}
    each = Counter(name for battle in many(kind) for name in living(battle))
    assert {f"1.{row['id']}": row["battles"] for row in rows(kind, "alive")} == each


def test_xp_gold_and_encounters_with_their_quantiles():
    spoils = [events(battle, "spoils")[0] for battle in many("run")]
    for row, name in zip(rows("run", "distributions"), ("encounters", "xp", "gold"), strict=True):
        values = sorted(getattr(event, name) for event in spoils)
        assert row["mean"] == sum(values) / BATTLES
        assert (row["least"], row["most"]) == (values[0], values[-1])
        assert row["p50"] == values[BATTLES // 2 - 1]
        assert row["p95"] == values[BATTLES * 95 // 100 - 1]
        assert row["counts"] == [[value, count] for value, count in sorted(Counter(values).items())]


def test_items_by_rarity_are_those_that_come_home():
    home: Counter[str] = Counter()
    for battle in many("run"):
        home.update(item.rarity for item in run_log(battle).spoils.items)
    shown = {row["rarity"].replace(" ", "_"): row for row in rows("run", "rarities")}
    assert {rarity: row["items"] for rarity, row in shown.items()} == {rarity: home[rarity] for rarity in RARITIES}
    assert shown["common"]["per_run"] == home["common"] / BATTLES


@pytest.mark.parametrize("kind", ["run", "encounter"])
def test_damage_by_skill_counts_ticks_to_the_skill_that_brought_them(kind):
    damage: Counter[str] = Counter()
    bringers = {"burning": "spark"}
    for battle in many(kind):
        for entry in chronicle_rounds(battle):
            for action in entry.actions:
                if action.actor.startswith("1.") and action.skill:
                    damage[action.skill] += sum(stroke.lost for stroke in action.strokes)
            for tick in entry.ticks:
                if tick.source.startswith("1.") and tick.condition in bringers:
                    damage[bringers[tick.condition]] += tick.amount
    shown = {row["id"]: row["total"] for row in rows(kind, "skill_damage")}
    assert shown == {skill: count for skill, count in damage.items() if count}
    assert sum(row["of_all"] for row in rows(kind, "skill_damage")) == pytest.approx(1)


@pytest.mark.parametrize("kind", ["run", "encounter"])
def test_use_of_the_queues(kind):
    used: Counter[Any] = Counter()
    for battle in many(kind):
        used.update((event.actor, event.slot) for event in events(battle, "use") if event.actor.startswith("1."))
    shown = {(f"1.{row['id']}", row["slot"]): row for row in rows(kind, "slot_uses")}
    assert {key: row["total"] for key, row in shown.items() if row["total"]} == used
    assert shown["1.mira", 0]["when"] == "ally_hp_below_60"
    for member in ("1.kael", "1.mira"):
        assert sum(row["of_its_uses"] for key, row in shown.items() if key[0] == member) == pytest.approx(1)


def chronicle_rounds(battle: fracas.Battle) -> list[Any]:
    is_run = isinstance(battle.chronicle, RunLog)
    encounters = run_log(battle).encounters if is_run else (encounter_log(battle),)
    return [entry for encounter in encounters for entry in encounter.rounds]


# Through the lab.


def test_a_lone_encounter_has_nothing_of_runs():
    assert not {"wipes", "last_blows", "distributions", "rarities"} & set(results("encounter").statistics)


def test_statistics_do_not_depend_on_threads_or_on_the_compiler(monkeypatch):
    scenario = loaded()
    few = fracas.simulate(scenario, n=60).statistics
    monkeypatch.setenv("FRACAS_JIT", "1")
    assert fracas.simulate(scenario, n=60).statistics == few
    compared = [fracas.simulate(scenario, n=3000, threads=threads).statistics for threads in (1, 2, 5)]
    assert compared[0] == compared[1] == compared[2]


def test_any_split_adds_up_to_the_same():
    delve = registry.get("delve")
    scenario = loaded()
    rows = np.zeros(BATTLES, delve.kernels.result_type)
    delve.kernels.play_many(scenario.compiled.record.copy(), 0, rows, None, None)
    measures = delve.measures(scenario.compiled, scenario.document)
    whole = Sums(measures)
    whole.add(rows)
    for cuts in ([1], [40], [7, 8, 50]):
        parts = Sums(measures)
        for part in np.split(rows, cuts):
            parts.add(part)
        assert parts == whole


def test_what_is_told_names_the_party_and_the_quest():
    html = results("run")._repr_html_()
    assert "The party" in html
    assert "The Burrow" in html
    assert "Its enemies" in results("encounter")._repr_html_()


def test_shares_are_of_what_they_say():
    played = results("run")
    scenario, sums = played.loaded, played.tally.sums
    tables = {table.name: table for table in scenario.ruleset.statistics(scenario.compiled, scenario.document, sums)}
    assert all(share.of == BATTLES for *_, share in tables["wipes"].rows if isinstance(share, Share))
    wiped = sum(battle.reason == "party_wipe" for battle in many("run"))
    assert all(row[-1].of == wiped for row in tables["last_blows"].rows)


def test_other_rulesets_count_nothing_else():
    assert fracas.simulate(squads(), n=20).statistics == {}
    assert "statistics" not in fracas.simulate(squads(), n=20).as_json()


def test_a_run_of_rest_alone_is_counted():
    document = run()
    document["quest"]["encounters"] = [{"type": "rest", "loot": False}]
    document["quest"]["loot_table_id"] = "pockets"
    battle = played(document)
    assert [event.NAME for event in battle.events][-2:] == ["spoils", "outcome"]
    shown = fracas.simulate(loaded(document), n=200)
    assert shown.battles == 200
    assert sum(row["battles"] for row in shown.statistics["survivors"]) == 200
