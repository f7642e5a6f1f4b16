"""Problems in their place, and what one click writes instead."""

from __future__ import annotations

import pytest

from fracas.content.packs import examples_folder
from fracas.errors import InputError
from fracas.studio.drafts import LARGEST_DRAFT, Draft
from fracas.studio.problems import problems_of

TEXT = (examples_folder() / "squads" / "standard-5v5.toml").read_text(encoding="utf-8")
RUN = (examples_folder() / "delve" / "goblin-warrens.toml").read_text(encoding="utf-8")
DUEL = (examples_folder() / "titans" / "standard.toml").read_text(encoding="utf-8")


def fixed(text, problem, number=0):
    fix = problem["fixes"][number]
    return text[: fix["from"]] + fix["insert"] + text[fix["to"] :]


MISTAKES = [
    (TEXT, '"scout"', '"scuot"', "scuot"),
    (TEXT, "formation =", "formaton =", "formaton"),
    (TEXT, '"balanced"', '"balnced"', "balnced"),
    (TEXT, "Fireball =", "Firebal =", "Firebal"),
    (TEXT, '"squads"', '"sqads"', "sqads"),
    (RUN, '"venomed_edge"', '"venomd_edge"', "venomd_edge"),
    (RUN, '"normal"', '"mormal"', "mormal"),
    (DUEL, '"fortify"', '"fortfy"', "fortfy"),
]


@pytest.mark.parametrize(("text", "right", "wrong", "marked"), MISTAKES)
def test_one_click_repairs_a_mistake(text, right, wrong, marked):
    broken = text.replace(right, wrong, 1)
    problem = problems_of(Draft(broken, "mine.toml"))[0]
    assert problem["severity"] == "error"
    assert broken[problem["from"] : problem["to"]] == marked
    assert fixed(broken, problem) == text
    assert not [each for each in problems_of(Draft(text, "mine.toml")) if each["severity"] == "error"]


def test_a_word_within_a_condition_is_replaced_alone():
    broken = TEXT.replace("ally_hp_below_50", "self.hp_pc < 50 and enemy_count_gte_2")
    problem = problems_of(Draft(broken, "mine.toml"))[0]
    assert broken[problem["from"] : problem["to"]] == "self.hp_pc"
    assert '"self.hp_pct < 50 and enemy_count_gte_2"' in fixed(broken, problem)


def test_a_missing_ruleset_is_one_click_away():
    broken = TEXT.replace('ruleset = "squads"\n', "")
    problem = problems_of(Draft(broken, "mine.toml"))[0]
    labels = [fix["label"] for fix in problem["fixes"]]
    assert 'ruleset = "squads"' in labels
    again = fixed(broken, problem, labels.index('ruleset = "squads"'))
    assert problems_of(Draft(again, "mine.toml")) == []


def test_a_syntax_error_is_marked_in_its_line():
    broken = TEXT.replace("[[sides]]", "[[sides]", 1)
    (problem,) = problems_of(Draft(broken, "mine.toml"))
    line = broken[: problem["from"]].count("\n")
    assert broken.split("\n")[line] == "[[sides]"
    (problem,) = problems_of(Draft('{"ruleset": }', "mine.json"))
    assert problem["from"] == 12


def test_characters_beyond_the_basic_plane_count_twice():
    broken = TEXT.replace('"Red"', '"🎲"').replace('"scout"', '"scuot"', 1)
    units = broken.encode("utf-16-le")
    (problem,) = problems_of(Draft(broken, "mine.toml"))
    assert units[2 * problem["from"] : 2 * problem["to"]].decode("utf-16-le") == "scuot"


def test_warnings_and_remarks_do_not_forbid_to_play():
    text = TEXT.replace('when = "always"', 'when = "zzways"', 1)
    draft = Draft(text, "mine.toml")
    found = problems_of(draft)
    assert "zzways" in found[0]["message"]
    assert "error" not in {each["severity"] for each in found}
    assert text[found[0]["from"] : found[0]["to"]] == "zzways"
    assert fixed(text, found[0]) == TEXT
    assert draft.scenario.ruleset.name == "squads"


def test_what_is_too_large_is_refused_before_it_is_read():
    (problem,) = problems_of(Draft("#" * (LARGEST_DRAFT + 1), "mine.toml"))
    assert "the studio takes" in problem["message"]


def test_a_draft_of_a_stranger_opens_no_file(tmp_path):
    (tmp_path / "plan.toml").write_text("formation = 'balanced'\n", encoding="utf-8")
    text = TEXT.replace("[sides.strategy]", "[sides.unused]", 1).replace(
        'name = "Red"', 'name = "Red"\nstrategy = "plan.toml"'
    )
    text = text.partition("[sides.unused]")[0] + "[[sides]]" + TEXT.rpartition("[[sides]]")[2]
    own, foreign = Draft(text, "mine.toml", tmp_path), Draft(text, "mine.toml", tmp_path, is_foreign=True)
    assert own.scenario.ruleset.name == "squads"
    with pytest.raises(InputError, match="has no folder"):
        _ = foreign.scenario
    assert "has no folder" in problems_of(foreign)[0]["message"]


def test_the_seed_of_a_nameless_file_is_that_of_commands(tmp_path):
    import fracas

    text = TEXT.replace('id = "standard-5v5"\nseed = "standard"\n', "")
    file = tmp_path / "My Plan.toml"
    file.write_text(text, encoding="utf-8")
    draft = Draft(text, file.name, tmp_path)
    assert draft.scenario.seed == fracas.load(file).seed
    assert fracas.run(draft.scenario).digest == fracas.run(fracas.load(file)).digest
