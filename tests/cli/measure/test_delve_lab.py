"""`fracas simulate`, `loot` and the commands that check and look things up, on delve."""

from __future__ import annotations

import json

import pytest
from tests.helpers import soak
from tests.helpers.commands import BAD_INPUT, CHECK_FAILED, DONE
from tests.helpers.delve_scenarios import DELVES, duel, loaded, run
from tests.helpers.scenarios import written

import fracas

KEYS = ["ruleset", "scenario", "seed", "profile", "battles", "wins", "draws", "shares", "draw_share", "interval95"]
OF_A_RUN = [
    "endings",
    "wipes",
    "last_blows",
    "survivors",
    "alive",
    "distributions",
    "rarities",
    "skill_damage",
    "slot_uses",
]
OF_AN_ENCOUNTER = ["endings", "survivors", "alive", "skill_damage", "slot_uses"]
SHARED_COLUMNS = ["index", "winner", "reason", "rounds", "hp_left_1", "hp_left_2", "units_left_1", "units_left_2"]


@pytest.fixture
def file(tmp_path):
    """A scenario file of a kind."""

    def of(kind, **values):
        document = (run if kind == "run" else duel)(**values)
        return written(tmp_path, json.dumps(document), f"{kind}.json")

    return of


# simulate


@pytest.mark.parametrize(("kind", "tables"), [("run", OF_A_RUN), ("encounter", OF_AN_ENCOUNTER)])
def test_the_document_has_the_keys_of_the_contract_and_statistics(fracas_cli, file, kind, tables):
    path = file(kind)
    ended = fracas_cli("simulate", path, "-n", "500", "--format", "json")
    assert ended.status == DONE
    assert [key for key in ended.json if key in KEYS] == KEYS
    assert list(ended.json["statistics"]) == tables
    expected = fracas.simulate(fracas.load(path), n=500, contributions=200).as_json()
    assert ended.json | {"timing": 0} == json.loads(json.dumps(expected)) | {"timing": 0}


@pytest.mark.parametrize("kind", ["run", "encounter"])
def test_the_text_has_a_table_for_each_statistic(fracas_cli, file, kind):
    path = file(kind)
    ended = fracas_cli("simulate", path, "-n", "60")
    assert (ended.status, "\x1b" in ended.out) == (DONE, False)
    told = " ".join(ended.out.split())
    tables = fracas.simulate(fracas.load(path), n=60).shown_tables()
    captions = [table.caption for table in tables if table.name.startswith("statistics.") and table.rows]
    assert captions
    assert all(" ".join(caption.split()) in told for caption in captions)
    assert ("The party" in ended.out, "The Burrow" in ended.out) == (True, kind == "run")


def test_a_table_has_columns_of_delves_own(fracas_cli, file, tmp_path):
    import polars

    path = tmp_path / "runs.parquet"
    document = fracas_cli("simulate", file("run"), "-n", "400", "--out", path, "--format", "json").json
    frame = polars.read_parquet(path)
    assert frame.columns[: len(SHARED_COLUMNS)] == SHARED_COLUMNS
    assert {"encounters_passed", "wipe_encounter", "xp", "gold", "items_rare", "skill_damage_spark"} <= set(
        frame.columns
    )
    assert {"member_hp_kael", "slot_uses_mira.0"} <= set(frame.columns)
    shown = document["statistics"]
    assert frame["gold"].mean() == pytest.approx(shown["distributions"][2]["mean"])
    assert frame["items_rare"].sum() == next(row["items"] for row in shown["rarities"] if row["rarity"] == "rare")
    assert frame["slot_uses_mira.0"].sum() == next(
        row["total"] for row in shown["slot_uses"] if (row["id"], row["slot"]) == ("mira", 0)
    )
    wiped = frame.filter(polars.col("reason") == "party_wipe")
    assert (wiped["wipe_encounter"] >= 0).all()
    assert len(wiped) == document["reasons"]["party_wipe"]


def test_the_table_of_a_lone_encounter_has_less(fracas_cli, file, tmp_path):
    import polars

    path = tmp_path / "fights.parquet"
    fracas_cli("simulate", file("encounter"), "-n", "200", "--out", path)
    columns = polars.read_parquet(path).columns
    assert "skill_damage_sweep" in columns
    assert not {"gold", "xp", "wipe_encounter", "items_common"} & set(columns)


# loot


def test_a_quests_loot_is_shown_beside_its_tables(fracas_cli, monkeypatch):
    # Compiled it would be said once that it is being compiled.
    monkeypatch.setenv("FRACAS_JIT", "0")
    ended = fracas_cli("content", "loot", "goblin_warrens", "--difficulty", "hard", "-n", "500")
    assert (ended.status, ended.err) == (DONE, "")
    for words in (
        "goblin_warrens, hard: 500 runs",
        "expected per run",
        "Ash Spear",
        "in line with the loot tables",
        "p = ",
    ):
        assert words in ended.out
    assert "legendary" not in ended.out, "what is neither promised nor found is not shown"


def test_the_loot_document(fracas_cli):
    document = fracas_cli("content", "loot", "goblin_warrens", "-n", "500", "--format", "json", "--seed", "s").json
    assert (document["quest"], document["difficulty"], document["seed"], document["runs"]) == (
        "goblin_warrens",
        "normal",
        "s",
        500,
    )
    assert document["as_promised"] is True
    assert set(document["chi_square"]) == {"value", "degrees", "p_value"}
    drop = document["drops"][0]
    assert set(drop) == {
        "item",
        "rarity",
        "expected",
        "expected_per_run",
        "found",
        "far",
        "expected_share",
        "share",
        "interval95",
    }
    assert "/" in drop["expected_per_run"]
    assert sum(row["found"] for row in document["drops"]) == document["items"]
    assert sum(row["expected_share"] for row in document["drops"]) == pytest.approx(1)


def test_loot_that_is_not_as_promised_is_a_failed_check(fracas_cli, monkeypatch):
    from fracas.rulesets.contract.measures import LootCounts
    from fracas.rulesets.delve.analysis import loot_expectations

    roll = loot_expectations.roll

    def generous(plan, runs, notice=None):
        found = roll(plan, runs, notice)
        return LootCounts({key: 2 * count for key, count in found.items.items()}, found.bonuses)

    monkeypatch.setattr(loot_expectations, "roll", generous)
    ended = fracas_cli("content", "loot", "goblin_warrens", "-n", "500")
    assert ended.status == CHECK_FAILED
    assert "NOT in line with the loot tables" in ended.out
    assert "standard deviations" in ended.out


@pytest.mark.parametrize(
    ("options", "where"),
    [
        (["goblin_warens"], ["QUEST"]),
        (["goblin_warens", "--difficulty", "hrad"], ["QUEST", "--difficulty"]),
        (["goblin_warrens", "-n", "0"], ["-n"]),
        (["goblin_warrens", "--encounters", "99"], ["--encounters"]),
        (["goblin_warrens", "--encounters", "0"], ["--encounters"]),
    ],
)
def test_loot_of_nothing_is_refused(fracas_cli, options, where):
    ended = fracas_cli("content", "loot", *options, "--format", "json")
    assert ended.status == BAD_INPUT
    assert [error["where"] for error in ended.errors] == where


def test_content_of_ones_own_counts_for_loot(fracas_cli, tmp_path):
    text = '[[difficulties]]\nid = "gift"\nname = "Gift"\nloot_chance = 100\n'
    written(tmp_path, text, "pack/gift.toml")
    options = ["--difficulty", "gift", "-n", "50", "--content", tmp_path / "pack", "--format", "json"]
    document = fracas_cli("content", "loot", "goblin_warrens", *options).json
    assert all(row["found"] == 50 for row in document["sources"])


# validate, lint, content, new


@pytest.mark.parametrize("kind", ["run", "encounter"])
def test_scenarios_of_both_kinds_are_valid(fracas_cli, file, kind):
    ended = fracas_cli("validate", file(kind), "--format", "json")
    assert ended.status == DONE
    assert ended.json["files"][0] | {"file": ""} == {
        "file": "",
        "valid": True,
        "kind": "delve scenario",
        "warnings": [],
    }


def test_a_queue_by_itself_is_a_strategy_file(fracas_cli, tmp_path):
    good = written(tmp_path, 'class = "vanguard"\nlevel = 2\nqueue = ["cleave", "strike"]\n', "queue.toml")
    assert "delve strategy file" in fracas_cli("validate", good).out
    bad = written(tmp_path, 'class = "vanguard"\nqueue = ["cleeve"]\n', "bad.toml")
    ended = fracas_cli("validate", bad, "--format", "json")
    assert ended.status == BAD_INPUT
    assert "cleave" in json.dumps(ended.errors)


def test_a_content_file_is_told_by_its_keys(fracas_cli, tmp_path):
    text = '[[difficulties]]\nid = "gift"\nname = "Gift"\nloot_chance = 100\n'
    assert "delve content file" in fracas_cli("validate", written(tmp_path, text, "pack/gift.toml")).out


@pytest.mark.parametrize("ruleset", ["squads", "delve"])
def test_a_content_file_with_keys_of_both_rulesets_is_told_by_what_stands_in_it(fracas_cli, tmp_path, ruleset):
    """`profiles` is content of both."""
    base, option = ("seed", "flee_below = 5") if ruleset == "delve" else ("classic", "round_cap = 7")
    text = f'[[profiles]]\nid = "mine"\nbase = "{base}"\n[profiles.options]\n{option}\n'
    ended = fracas_cli("validate", written(tmp_path, text, "pack/profiles.toml"))
    assert f"{ruleset} content file" in ended.out, ended.err


def test_content_is_listed_and_shown(fracas_cli):
    listed = fracas_cli("content", "list", "delve", "--format", "json").json
    assert len(listed["quests"]) >= 6
    assert fracas_cli("content", "show", "delve", "goblin_warrens").status == DONE
    assert fracas_cli("content", "list", "delve", "quest").status == BAD_INPUT


def test_a_new_scenario_can_be_run(fracas_cli, tmp_path):
    path = tmp_path / "mine.toml"
    assert fracas_cli("new", "delve", "--out", path).status == DONE
    assert fracas_cli("run", path).status == DONE


@pytest.mark.parametrize("path", soak.some(sorted(DELVES.glob("*.toml")), 3), ids=lambda path: path.stem)
def test_every_example_runs_verifies_and_simulates(fracas_cli, tmp_path, path):
    replay = tmp_path / "replay.json"
    assert fracas_cli("run", path, "--save", replay).status == DONE
    assert fracas_cli("verify", replay).status == DONE
    assert fracas_cli("simulate", path, "-n", "150").status == DONE


def test_every_quest_runs_at_every_difficulty(tmp_path):
    from fracas.rulesets.registry import get

    library = get("delve").read_library(None, ())
    party = next(iter(library.of("parties")))
    for quest in library.of("quests"):
        for difficulty in library.of("difficulties"):
            document = {"ruleset": "delve", "quest": quest, "party": party, "difficulty": difficulty}
            scenario = loaded(document)
            battle = fracas.run(scenario)
            battle.save(tmp_path / "replay.json")
            assert fracas.verify(tmp_path / "replay.json").matches
            assert fracas.simulate(scenario, n=110).battles == 110


def test_enhance_tells_every_attempt(fracas_cli):
    ended = fracas_cli("content", "enhance", "seed", "65535", "65282", "--attempts", "3", "--format", "json")
    assert ended.status == DONE
    assert json.loads(ended.out) == fracas.enhance("seed", 65535, 65282, attempts=3).as_json()
    text = fracas_cli("content", "enhance", "seed", "65535", "65282", "--attempts", "3").out
    assert "item at tick 65535, lane 65282" in text
    assert "odds for any +0 item after 3 attempts: +1 4.0%, +2 48.0%, +3 48.0%" in text


def test_enhance_refuses_what_is_no_address(fracas_cli):
    assert fracas_cli("content", "enhance", "seed", "1", "65536").status == BAD_INPUT
