"""The shipped leagues: what they accept, what they refuse, and their bots."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.arena import SQUADS, league

from fracas.errors import InputError
from fracas.player_entries.checking import LARGEST_ENTRY
from fracas.player_entries.registry import entry_json_schema
from fracas.rulesets import registry
from fracas.server.arena.bots import read_bots
from fracas.server.arena.entries import check_entry, cost
from fracas.server.arena.league import SHIPPED, League, read_league, read_leagues
from fracas.server.arena.match_player import Combatant, MatchPlayer, Rules

LEAGUES = read_leagues()
FREE = {"squads": {}, "delve": {}, "stacks": {}, "relics": {}, "titans": {"policy": "greedy"}}


def made(of: League, ids: list[str]) -> dict[str, Any]:
    """An entry of ids."""
    match of.file.ruleset:
        case "squads":
            return {"units": ids}
        case "delve":
            return {"members": [{"hero": name} for name in ids]}
        case "stacks":
            return {"stacks": [ids]}
        case "titans":
            return {"titan": ids[0], "policy": "greedy"}
    buckets = {name: of.library.of("items")[name].bucket for name in ids}
    entry: dict[str, Any] = {key: [n for n in ids if buckets[n] == key] for key in ("upgrades", "items", "food")}
    weapons = [name for name in ids if buckets[name] == "weapons"]
    return entry | ({"weapon": weapons[0]} if weapons else {})


def picked(of: League, *, dearest: bool) -> list[str]:
    """Legal ids that cost as much, or as little, as a greedy choice finds."""
    size, left, found = of.file.size, of.file.points, list[str]()
    names = sorted(of.library.of(of.kind.content), key=lambda name: (of.price(name) * (-1 if dearest else 1), name))
    names = [name for name in names if name not in of.file.banned]
    if of.file.ruleset == "relics":
        names = [name for name in names if of.library.of("items")[name].bucket == "items"]
    cheapest = min(map(of.price, names))
    for name in itertools.chain.from_iterable(itertools.repeat(each, of.file.max_copies) for each in names):
        wanted = size.most if dearest else max(size.least, 1)
        missing = max(size.least - len(found) - 1, 0)
        if len(found) < wanted and of.price(name) <= left - missing * cheapest:
            found.append(name)
            left -= of.price(name)
    return found


@pytest.mark.parametrize("name", LEAGUES)
@pytest.mark.parametrize("dearest", [True, False])
def test_the_dearest_and_the_cheapest_entry_are_legal_and_fight(name: str, dearest: bool):
    of = LEAGUES[name]
    documents = [made(of, picked(of, dearest=each)) for each in (dearest, not dearest)]
    checked = [check_entry(of, document) for document in documents]
    price = cost(of, of.kind.model.model_validate(documents[0]))
    cheapest = min(map(of.price, of.library.of(of.kind.content)))
    assert of.file.points - 2 * cheapest < price <= of.file.points or not dearest
    first, second = (
        Combatant(code, each.document, each.digest) for code, each in zip(("e1", "e2"), checked, strict=True)
    )
    assert len(MatchPlayer().play(Rules(of, "none"), first, second, "seed").legs) == of.file.legs


@pytest.mark.parametrize("name", LEAGUES)
def test_an_entry_over_budget_size_or_copies_is_refused(name: str):
    of = LEAGUES[name]
    dear = sorted(of.library.of(of.kind.content), key=of.price)[-1]
    with pytest.raises(InputError) as error:
        check_entry(of, made(of, [dear] * (of.file.size.most + 1)) | FREE[of.file.ruleset])
    told = str(error.value)
    assert any(word in told for word in ("points", "times", "wants", "too many entries"))


@pytest.mark.parametrize("name", LEAGUES)
def test_bots_are_legal_a_dozen_and_measured(name: str):
    bots = read_bots(LEAGUES[name])
    assert len(bots) == 12
    assert len({bot.strength for bot in bots}) > 6
    assert abs(sum(bot.strength for bot in bots) / 12 - 1500) < 2


def test_handles_of_bots_are_unique_over_all_leagues():
    names = [bot.id for of in LEAGUES.values() if of.file.bots is None for bot in read_bots(of)]
    assert len(set(names)) == len(names)


def test_one_league_ships_for_each_ruleset_and_a_casual_twin():
    assert {of.file.ruleset for of in LEAGUES.values() if of.is_ranked} == set(registry.NAMES)
    twin, ranked = LEAGUES["squads-casual"], LEAGUES["squads"]
    assert not twin.is_ranked
    assert (twin.file.price, twin.file.points) == (ranked.file.price, ranked.file.points)


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_every_ruleset_has_a_schema_of_entries(ruleset: str):
    assert entry_json_schema(ruleset)["title"].endswith("Entry")


REFUSED = {
    "stats": ("squads", {"units": [{"id": "scout", "hp": 9999}]}, "units.0"),
    "a file": ("squads", {"units": ["scout"] * 3, "strategy": "secrets.toml"}, "strategy"),
    "a name": ("squads", {"units": ["scout"] * 3, "name": "x"}, "name"),
    "a note": ("titans", {"titan": "gale", "policy": [{"do": "attack", "note": "x"}]}, "policy.0.note"),
    "options": ("squads", {"units": ["scout"] * 3, "options": {"round_cap": 1}}, "options"),
    "own content": ("squads", {"units": ["scout"] * 3, "abilities": {}}, "abilities"),
    "an unknown id": ("stacks", {"stacks": [["swordsman", "spearman", "nobody"]]}, "stacks.0.2"),
    "a skill of creatures": ("delve", {"members": [{"hero": "vanguard_2", "queue": ["web_spit"]}]}, "members.0.queue"),
    "an unknown condition": (
        "squads",
        {"units": ["scout"] * 3, "strategy": {"abilities": {"Piercing Shaft": {"when": "i_am_ann"}}}},
        "strategy",
    ),
    "a file as a policy": ("titans", {"titan": "gale", "policy": "solved.json"}, "policy"),
    "a solved table": ("titans", {"titan": "gale", "policy": {"solved": {}}}, "policy"),
    "an equilibrium": ("titans", {"titan": "gale", "policy": "equilibrium"}, "policy"),
    "a golden item": ("relics", {"items": [{"id": "horned_helm", "tier": "golden"}]}, "items.0"),
    "an item as a weapon": ("relics", {"weapon": "horned_helm", "items": ["oak_targe", "kettle_hat"]}, "weapon"),
    "too many stacks": ("stacks", {"stacks": [["archer"]] * 4}, "stacks"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_an_entry_names_content_and_decides_and_nothing_else(what: str):
    name, document, place = REFUSED[what]
    with pytest.raises(InputError) as error:
        check_entry(LEAGUES[name], document)
    told = [problem.where for problem in error.value.problems]
    assert any(where.startswith(f"entry: {place}") for where in told) or what == "too many stacks", told
    assert str(Path.cwd()) not in str(error.value)


def test_all_problems_are_told_at_once():
    document = {"units": ["scoot", "bronze_knight", "bronze_knight", "bronze_knight"], "strategy": "no_such_plan"}
    with pytest.raises(InputError) as error:
        check_entry(LEAGUES["squads"], document)
    told = str(error.value)
    for part in ('"scoot"', '"no_such_plan"', "3 times"):
        assert part in told


@pytest.mark.parametrize("document", [None, [], "text", {"units": ["x" * 300_000]}, {"units": "a" * LARGEST_ENTRY}])
def test_what_is_no_entry_is_refused(document: Any):
    with pytest.raises(InputError):
        check_entry(LEAGUES["squads"], document)


def test_the_modifier_of_the_week_turns_on_monday():
    import datetime

    of = LEAGUES["squads"]
    sunday = datetime.date(2026, 11, 22)
    weeks = [of.modifier_at(sunday + datetime.timedelta(days=days)) for days in (0, 1, 7, 8)]
    assert weeks[1] == weeks[2]
    assert len(set(weeks)) == 3


def test_a_league_file_tells_everything_that_is_wrong_with_it():
    with pytest.raises(InputError) as error:
        read_league({**SQUADS, "price": {"scoot": 1}, "banned": ["nobody"], "modifier": "sunshine"}, "league.toml")
    assert len(error.value.problems) == 3
    with pytest.raises(InputError, match="legs"):
        league(legs=3)
    with pytest.raises(InputError, match="profile"):
        league(profile="nope")


def test_own_leagues_replace_the_shipped_ones(tmp_path: Path):
    (tmp_path / "own.toml").write_text((SHIPPED / "squads.toml").read_text().replace('id = "squads"', 'id = "own"'))
    assert list(read_leagues(tmp_path)) == ["own"]
    (tmp_path / "again.toml").write_text((tmp_path / "own.toml").read_text())
    with pytest.raises(InputError, match="another league"):
        read_leagues(tmp_path)
    with pytest.raises(InputError, match="is not a folder"):
        read_leagues(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no league files"):
        read_leagues(tmp_path / "empty")
