"""Facts, conditions and strategies of games: plain and compiled alike, followed as files say, and told in words."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.helpers import soak
from tests.kit import small_games
from tests.kit.small_games import PLANNED, rows_of, text_of, used

import fracas
from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.kernel import jit
from fracas.kit import Game, load
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.types import Document, Override, Source

pytestmark = pytest.mark.usefixtures("fresh")


def document_of(name: str, *, plan: Any = None) -> Document:
    document = small_games.document_of(name)
    if plan is not None:
        document["sides"][0]["plan"] = plan
    return document


def loaded(folder: Path, name: str, *, plan: Any = None, change: tuple[str, str] = ("", "")) -> Scenario:
    used(folder, name, change)
    return fracas.load(document_of(name, plan=plan))


def told(scenario: Any, name: str, stream: int = 0) -> list[Any]:
    """The events of a kind in one battle."""
    return [each for each in fracas.run(scenario, stream=stream).events if name == each.NAME]


def differing(scenario: Scenario) -> int:
    """In how many of some battles plain and compiled rows differ."""
    plain = scenario.ruleset.kernels.play_many
    compiled = jit.native(plain)
    return sum(rows_of(scenario, plain, stream) != rows_of(scenario, compiled, stream) for stream in range(20))


# The next test plays camp both ways too.
@pytest.mark.parametrize("name", PLANNED if soak.is_on() else ["bids"])
def test_plain_and_compiled_battles_have_the_same_rows(name: str, tmp_path: Path) -> None:
    assert differing(loaded(tmp_path, name)) == 0


def test_a_fact_that_answers_otherwise_when_compiled_is_found(tmp_path: Path) -> None:
    text = text_of("camp").replace("@fact\ndef strength", "MORE = 0\n\n\n@fact\ndef strength")
    file = tmp_path / "camp.py"
    file.write_text(text.replace("me.charm.power > 3", "me.charm.power > 3 + MORE"))
    game = fracas.use(file)
    assert isinstance(game, Game)
    plan = [{"when": "self.charmed", "do": "hide"}, {"do": "strike"}]
    scenario = fracas.load(document_of("camp", plan=plan))
    assert differing(scenario) == 0
    # Compiled code keeps the value that it was compiled with; plain Python reads the new one.
    game.module.__dict__["MORE"] = 9
    assert differing(scenario) > 0


def facts_at(
    scenario: Scenario, when: str, state: Mapping[str, int] | None = None, *, unit: str = "1.archer", round: int = 2
) -> list[tuple[str, bool]]:
    overrides = [Override(tuple(path.split(".")), value) for path, value in (state or {}).items()]
    found = scenario.ruleset.explain(
        scenario.compiled, stream=0, unit=unit, when=when, round=round, state=overrides, strict=False, encounter=None
    )
    return [(node.text, node.value) for node in found.nodes if node.depth > 0 or len(found.nodes) == 1]


ANSWERS = {
    "self.hp_pct < 50": True,
    "self.hp_pct >= 46": False,
    "self.hp == 9": True,
    "self.hurt == 55": True,
    "self.charm.power == 4": True,
    "self.charmed": True,
    "self.skill.bow": True,
    "self.skill.herbs": False,
    "allies.any(hp_pct < 50)": True,
    "allies.all(hp_pct < 50)": False,
    "allies.count(hp < 10) == 1": True,
    "allies.count == 3": True,
    "enemies.count(skill.bow) == 2": True,
    "enemies.all(charmed)": False,
    "enemies.any(hp == 1)": True,
    "side.wood == 7": True,
    "enemy.wood == 0": False,
    "battle.wind == 2": True,
    "enemy.strength > side.strength": False,
    "round == 2": True,
}


def test_facts_and_quantifiers_answer_as_the_battle_stands(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, "camp")
    state = {
        "units.1.archer.hp": 9, "units.2.archer.hp": 1, "units.2.archer-2.hp": 4, "units.2.healer.hp": 5,
        "sides.1.wood": 7, "battle.wind": 2,
    }  # fmt: skip
    for when, value in ANSWERS.items():
        assert facts_at(scenario, when, state) == [(when, value)]


def test_who_has_fallen_is_no_ally(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, "camp")
    assert facts_at(scenario, "enemies.count == 2", {"units.2.archer.hp": 0}) == [("enemies.count == 2", True)]


@pytest.mark.parametrize(
    ("plan", "wanted"),
    [
        ([{"do": "strike", "target": "lowest_hp"}], {("strike", "2.archer")}),
        ([{"do": "strike", "target": "highest_hp"}], {("strike", "2.healer")}),
        ([{"do": "strike", "target": "highest_charm_power"}], {("strike", "2.archer")}),
        ([{"do": "strike", "target": "first"}], {("strike", "2.healer")}),
        ([{"do": "strike"}], {("strike", "2.healer")}),
        ([{"do": "strike", "target": "self"}, {"do": "hide"}], {("hide", "1.archer-2")}),
        ([{"do": "heal"}, {"do": "hide", "target": "self"}], {("hide", "1.archer-2")}),
        ([{"do": "strike", "when": "self.hp > 90"}, {"do": "hide"}], {("hide", "1.archer-2")}),
        ([], {("strike", "2.healer")}),
        (
            [{"do": "strike", "target": "random"}],
            {("strike", "2.healer"), ("strike", "2.archer"), ("strike", "2.archer-2")},
        ),
    ],
)
def test_the_first_possible_line_counts_and_its_target(plan: Any, wanted: Any, tmp_path: Path) -> None:
    scenario = loaded(tmp_path, "camp", plan=plan)
    found = set()
    for number in range(25 if len(wanted) > 1 else 3):
        first = next(each for each in told(scenario, "does", number) if each.actor.startswith("1."))
        if first.actor == "1.archer-2":
            found.add((first.what, first.target))
    assert found == wanted


def test_without_a_plan_the_first_legal_choice_counts(tmp_path: Path) -> None:
    document = document_of("bids")
    for side in document["sides"]:
        side.pop("plan")
    used(tmp_path, "bids")
    events = told(document, "bids")
    assert {each.bid for each in events} == {"pass"}


def test_sides_follow_their_plans_at_once(tmp_path: Path) -> None:
    events = told(loaded(tmp_path, "bids"), "bids")
    assert [each.bid for each in events[:6]] == ["small", "pass", "small", "pass", "small", "large"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            {"when": "enemies.any(hurtt > 40)", "do": "strike"},
            'does not know "hurtt" (column 13) (did you mean "hurt"?)',
        ),
        ({"when": "self.hpp < 4", "do": "strike"}, 'unknown fact "self.hpp" (column 1) (did you mean "self.hp"?)'),
        ({"when": "hp < 4", "do": "strike"}, 'unknown fact "hp"'),
        ({"when": "enemies.any(mood > 1)", "do": "strike"}, 'does not know "mood"'),
        ({"when": "self.hurt > 101", "do": "strike"}, '101 is out of range for "self.hurt"'),
        ({"when": "self.hp_pct > self.hp", "do": "strike"}, '"self.hp_pct" is a percentage and "self.hp" is not'),
        ({"when": "self.hp", "do": "strike"}, '"self.hp" is a number and has to be compared'),
        ({"when": "self.charmed > 1", "do": "strike"}, "is true or false by itself"),
        ({"do": "strike", "target": "lowest_hpp"}, 'no selector "lowest_hpp" (did you mean "lowest_hp"?)'),
        ({"do": "strike", "target": "lowest_mood"}, 'no selector "lowest_mood"'),
        ({"do": "strke"}, 'sides.0.plan.0.do: "strke" is not one of strike, heal or hide (did you mean "strike"?)'),
        ({"when": "always"}, "sides.0.plan.0.do: is missing"),
    ],
)
def test_wrong_lines_are_told_with_suggestions(line: Any, message: str, tmp_path: Path) -> None:
    used(tmp_path, "camp")
    with pytest.raises(InputError) as error:
        fracas.load(document_of("camp", plan=[line]))
    assert message in str(error.value)
    assert "sides.0.plan.0" in str(error.value)


def test_unknown_names_never_block_and_are_told(tmp_path: Path) -> None:
    game = used(tmp_path, "camp")
    resolved = game.resolve(document_of("camp", plan=[{"when": "brave", "do": "strike"}]), Source("test"))
    assert [each.where for each in resolved.warnings] == ["test: sides.0.plan.0.when"]
    assert "so it never blocks" in resolved.warnings[0].message


def test_conditions_in_content_are_checked(tmp_path: Path) -> None:
    used(tmp_path, "camp")
    document = document_of("camp")
    document["charms"][0]["when"] = "self.hpp > 1"
    with pytest.raises(InputError, match=r"charm.*self\.hpp"):
        fracas.load(document)


def test_too_many_conditions_are_refused(tmp_path: Path) -> None:
    used(tmp_path, "camp")
    with pytest.raises(InputError, match="at most 16"):
        fracas.load(document_of("camp", plan=[{"do": "strike"}] * 17))
    long = " or ".join(f"self.hp == {number}" for number in range(70))
    lines = [{"when": f"{long} or self.hp > {number}", "do": "strike"} for number in range(16)]
    with pytest.raises(InputError, match="conditions of one battle may use 1,024 steps"):
        fracas.load(document_of("camp", plan=lines))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("def hurt(", "def health("), "health: is a field of Hunter already"),
        (('@fact("percent")', '@fact("share")'), '"share" is no kind of fact'),
        (
            ("def charmed(battle: Hunt, me: Hunter)", "def charmed(battle: Hunt, me: int)"),
            "is no fact of a unit or a side",
        ),
        (
            ("plan: Strategy = strategy()", "plan: Strategy = condition()"),
            "declared as one thing and annotated as another",
        ),
        (
            ("plan: Strategy = strategy()", "plan: Strategy = strategy()\n    other: Strategy = strategy()"),
            "second strategy",
        ),
        (("mood: int = hidden()", "mood: int = hidden()\n    plan: Strategy = strategy()"), "which only sides have"),
        (
            (
                "game = Game(",
                "@rule\ndef choose(battle: Hunt, me: Hunter) -> tuple[Do, int]:\n    return 2, 0\n\n\ngame = Game(",
            ),
            "is never followed, because the game has a choose of its own",
        ),
    ],
)
def test_wrong_declarations_are_told(change: tuple[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        used(tmp_path, "camp", change).build()
    assert message in str(error.value)


def test_facts_count_for_the_rules_hash(tmp_path: Path) -> None:
    before = used(tmp_path, "camp").rules_hash
    (tmp_path / "other").mkdir()
    with load.fresh():
        assert used(tmp_path / "other", "camp", ("me.charm.power > 3", "me.charm.power > 4")).rules_hash != before


def test_lint_finds_conditions_that_never_or_always_hold(tmp_path: Path) -> None:
    game = used(tmp_path, "camp")
    plan = [
        {"when": "enemies.count > 3", "do": "hide"},
        {"when": "round >= 1", "do": "hide"},
        {"when": "brave", "do": "hide"},
        {"do": "strike"},
        {"when": "self.hp > 3", "do": "strike"},
    ]
    document = document_of("camp", plan=plan)
    document["sides"][1]["plan"] = []
    found = {(each.rule, each.where) for each in game.lint(document, Source("test"))}
    assert found == {
        ("never-holds", "sides.0.plan.0.when"),
        ("always-holds", "sides.0.plan.1.when"),
        ("unknown-condition", "sides.0.plan.2.when"),
        ("never-reached", "sides.0.plan.4"),
    }


def test_decisions_name_their_lines_and_targets(tmp_path: Path) -> None:
    for name, label in (("camp", "strike 2.healer (line 4)"), ("bids", "small (line 2)")):
        scenario = loaded(tmp_path, name)
        points = scenario.ruleset.analysis.decision_points(scenario.compiled, scenario.document, 0)
        found = [point.decision.choices[point.decision.chosen].label for point in points if point.decision is not None]
        assert label in found


def test_every_value_of_the_search_loads(tmp_path: Path) -> None:
    for name in PLANNED:
        scenario = loaded(tmp_path, name)
        hooks = scenario.ruleset.analysis
        side = SideRef(scenario.document, 1)
        found = [each for each in hooks.search_space(side) if each.part == "plan"]
        assert len(found) == len(scenario.document["sides"][0]["plan"])
        for dimension in found:
            assert dimension.values[dimension.current] == scenario.document["sides"][0]["plan"][int(dimension.path[-1])]
            for value in dimension.values:
                document = deepcopy(scenario.document)
                document["sides"][0]["plan"][int(dimension.path[-1])] = value
                fracas.load(document)


def test_explain_says_why_there_is_no_decision(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, "camp")
    with pytest.raises(InputError, match=r'nobody here is called "1.archr" .*1.archer'):
        facts_at(scenario, "self.hp > 1", unit="1.archr")
    with pytest.raises(InputError, match="the battle is over in round"):
        facts_at(scenario, "self.hp > 1", round=99)
    with pytest.raises(InputError, match='the State of Hunter has no "hpp"'):
        facts_at(scenario, "self.hp > 1", {"units.1.archer.hpp": 3})
    assert facts_at(loaded(tmp_path, "bids"), "self.coins == 7", unit="1") == [("self.coins == 7", False)]
