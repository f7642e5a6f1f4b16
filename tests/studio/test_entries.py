"""A player's entry in the editor: its form, what a choice writes, its problems, and completion."""

from __future__ import annotations

import json
import tomllib

import pytest

from fracas.errors import InputError
from fracas.files.toml_writer import toml_text
from fracas.server.arena.bot_files import authored_bots
from fracas.server.arena.entries import check_entry
from fracas.server.arena.league import read_leagues
from fracas.studio.completion import completions
from fracas.studio.entries import EntryDraft, Market, entry_form, with_entry_choice
from fracas.studio.problems import problems_of

LEAGUES = {league.file.ruleset: league for league in read_leagues().values() if league.is_ranked}


def draft_of(ruleset: str, text: str) -> EntryDraft:
    league = LEAGUES[ruleset]
    market = Market(league.price, league.file.banned)
    return EntryDraft.of(text, league.ground, lambda document: check_entry(league, document).warnings, market)


def choices_of(draft: EntryDraft) -> dict[str, dict]:
    return {".".join(each["path"]): each for each in entry_form(draft)[0]["choices"]}


@pytest.mark.parametrize("ruleset", LEAGUES)
def test_every_choice_writes_what_it_says(ruleset):
    bot = authored_bots(LEAGUES[ruleset])[0].entry
    for text in (toml_text(bot), json.dumps(bot)):
        draft = draft_of(ruleset, text)
        choices = choices_of(draft)
        places = [*LEAGUES[ruleset].kind.pieces(draft.entry)]
        for path in {places[0].path, places[-1].path, next(reversed(choices))}:
            choice = choices[path]
            number = (choice["current"] + 1) % len(choice["labels"])
            changed = draft.with_text(with_entry_choice(draft, choice["path"], number))
            after = choices_of(changed)
            if choice["labels"][number] == "–":
                assert sum(1 for _ in LEAGUES[ruleset].kind.pieces(changed.entry)) == len(places) - 1
            else:
                assert after[path]["labels"][after[path]["current"]] == choice["labels"][number]


def test_a_free_place_takes_a_piece_and_a_piece_goes():
    draft = draft_of("squads", '# mine\nunits = ["scout", "scout"]  # two\n')
    added = with_entry_choice(draft, ["units", "2"], 1)
    assert added.startswith("# mine\n")
    assert len(tomllib.loads(added)["units"]) == 3
    labels = choices_of(draft)["units.0"]["labels"]
    assert labels[0] == "–"
    assert labels[1:] == sorted(labels[1:], key=lambda label: int(label.split("(")[1][:-1]))
    assert tomllib.loads(with_entry_choice(draft, ["units", "0"], 0)) == {"units": ["scout"]}
    stacks = draft_of("stacks", 'stacks = [["crown_horse"]]\n')
    assert tomllib.loads(with_entry_choice(stacks, ["stacks", "2", "0"], 1))["stacks"][1] == []
    relics = choices_of(draft_of("relics", 'items = ["oak_targe"]\n'))
    assert {"weapon", "upgrades.0", "items.1", "food.0"} <= relics.keys()
    assert "Oak Targe (4)" not in relics["weapon"]["labels"]
    delve = draft_of("delve", toml_text(authored_bots(LEAGUES["delve"])[0].entry))
    assert "members.4.hero" in choices_of(delve)
    with pytest.raises(InputError, match="no such choice"):
        with_entry_choice(draft, ["units", "9"], 0)


def test_a_strategy_is_taken_whole_by_its_name():
    choice = choices_of(draft_of("squads", 'units = ["scout"]\n'))["strategy"]
    assert (choice["labels"][0], choice["current"]) == ("–", 0)
    draft = draft_of("squads", 'units = ["scout"]  # one\n[strategy]\nformation = "flanking"\n')
    choice = choices_of(draft)["strategy"]
    assert (choice["labels"][choice["current"]], choice["part"]) == ("your own", "strategy")
    text = with_entry_choice(draft, ["strategy"], choice["labels"].index("closed_gate"))
    assert tomllib.loads(text) == {"units": ["scout"], "strategy": "closed_gate"}
    assert "# one" in text
    policy = choices_of(draft_of("titans", 'titan = "stone_warden"\npolicy = "turtle"\n'))["policy"]
    assert {"greedy", "turtle"} <= set(policy["labels"])
    assert "–" not in policy["labels"]


def test_problems_of_the_league_stand_at_their_fields():
    draft = draft_of("squads", 'units = ["scout", "scout", "scowt"]\n')
    (problem,) = problems_of(draft)
    assert draft.text[problem["from"] : problem["to"]] == "scowt"
    assert {each["label"] for each in problem["fixes"]} == {"scout"}
    dear = draft_of("squads", 'units = ["scout", "scout", "scout"]\n')
    assert [each["message"] for each in problems_of(dear)] == ['names "scout" 3 times; squads allows 2']
    # The form mends what the league refuses.
    assert "units.2" in choices_of(dear)
    for unfit in ("units = [nan]\n", "units = 1e99999\n", "units = 1979-05-27\n"):
        assert problems_of(draft_of("squads", unfit))[0]["severity"] == "error"
    broken = draft_of("squads", "units = [\n")
    assert problems_of(broken)[0]["severity"] == "error"
    with pytest.raises(InputError):
        entry_form(broken)


@pytest.mark.parametrize(
    ("ruleset", "text", "wanted"),
    [
        ("squads", 'units = ["sco|"]', "scout"),
        ("squads", '{"units": ["sco|"]}', "scout"),
        ("squads", "str|", "strategy"),
        ("squads", 'units = ["scout"]\n[strategy]\nformation = "fl|"', "flanking"),
        ("squads", 'units = ["scout"]\nstrategy = "closed|"', "closed_gate"),
        ("squads", 'units = ["scout"]\n[strategy.abilities.Heal]\nwhen = "self.hp|"', "self.hp_pct"),
        ("delve", '[[members]]\nhero = "vang|"', "vanguard_2"),
        ("relics", 'weapon = "adder|"', "adder_knife"),
        ("titans", 'titan = "stone|"\npolicy = "brute"', "stone_warden"),
        ("stacks", 'stacks = [["crown|"]]', "crown_horse"),
    ],
)
def test_names_keys_and_conditions_are_completed(ruleset, text, wanted):
    at = text.index("|")
    found = completions(draft_of(ruleset, text.replace("|", "", 1)), at)
    assert wanted in {option["label"] for option in found["options"]}
