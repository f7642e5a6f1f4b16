from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.conditions.example import VOCABULARY, problems_of, tree_of, trees
from tests.helpers.soak import times

from fracas.conditions import (
    ALWAYS,
    Alias,
    And,
    Comparison,
    Constant,
    Fact,
    FactKind,
    Flag,
    Group,
    Named,
    Not,
    Or,
    Status,
    Tree,
    Units,
    Versus,
    Vocabulary,
    check_names,
    parse,
    to_text,
)
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import nearest, quoted

LOW = Comparison("self.hp_pct", "<", 50)
MANY = Comparison("enemies.count", ">=", 3)
LATE = Comparison("round", ">", 10)
STUNNED = Status("self", "stunned")
HURT_ALLY = Named("ally_hp_below_50", Group("allies", "any", Comparison("hp_pct", "<", 50)))
CROWD = Named("enemy_count_gte_3", MANY)


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ("self.hp_pct < 50", LOW),
        ("self.hp_pct<50", LOW),
        ("  self.hp_pct \n\t<\r\n 50 ", LOW),
        ("((self.hp_pct < 50))", LOW),
        ("round <= 1000000", Comparison("round", "<=", 10**6)),
        ("enemies.count != 0", Comparison("enemies.count", "!=", 0)),
        ("self.attack >= -999", Comparison("self.attack", ">=", -999)),
        ("self.charge > self.attack", Versus("self.charge", ">", "self.attack")),
        ("round!=enemies.count", Versus("round", "!=", "enemies.count")),
        ("self.hp_pct <= foe.share", Versus("self.hp_pct", "<=", "foe.share")),
        ("self.hp_pct == 050", Comparison("self.hp_pct", "==", 50)),
        ("always", ALWAYS),
        ("self.stunned", STUNNED),
        ("boss_present", Status("", "boss_present")),
        ("enemies.any(stunned)", Group("enemies", "any", Status("", "stunned"))),
        ("allies.all(hp_pct > 90)", Group("allies", "all", Comparison("hp_pct", ">", 90))),
        ("allies.any((stunned))", Group("allies", "any", Status("", "stunned"))),
        (
            "allies.count(charge >= 80) == 2",
            Group("allies", "count", Comparison("charge", ">=", 80), "==", 2),
        ),
        ("ally_hp_below_50", HURT_ALLY),
        ("self_has_buff", Named("self_has_buff", Status("self", "shielded"))),
        ("self_has_poisoned", Named("self_has_poisoned", Status("self", "poisoned"))),
        (
            "self_lacks_stunned",
            Named("self_lacks_stunned", Not(Named("self_has_stunned", STUNNED))),
        ),
        ("every_3_rounds", Named("every_3_rounds", Comparison("round", "multiple_of", 3))),
        ("once", Named("once", Comparison("used", "==", 0))),
        (
            "self_hp_from_20_to_50",
            Named(
                "self_hp_from_20_to_50",
                And((Comparison("self.hp_pct", ">=", 20), Comparison("self.hp_pct", "<=", 50))),
            ),
        ),
    ],
)
def test_a_single_question(source: str, tree: Tree) -> None:
    assert tree_of(source) == tree


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ("self.hp_pct < 50 or round > 10 and self.stunned", Or((LOW, And((LATE, STUNNED))))),
        ("(self.hp_pct < 50 or round > 10) and self.stunned", And((Or((LOW, LATE)), STUNNED))),
        ("not self.stunned and round > 10", And((Not(STUNNED), LATE))),
        ("not (self.stunned and round > 10)", Not(And((STUNNED, LATE)))),
        ("not self.hp_pct < 50", Not(LOW)),
        ("not not self.stunned", Not(Not(STUNNED))),
        ("self.stunned and (round > 10 and self.hp_pct < 50)", And((STUNNED, LATE, LOW))),
        ("(self.stunned or round > 10) or self.hp_pct < 50", Or((STUNNED, LATE, LOW))),
        ("ally_hp_below_50 and enemy_count_gte_3", And((HURT_ALLY, CROWD))),
    ],
)
def test_not_binds_before_and_and_before_or(source: str, tree: Tree) -> None:
    assert tree_of(source) == tree


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ({"all": ["ally_hp_below_50", {"not": "enemy_count_gte_3"}]}, And((HURT_ALLY, Not(CROWD)))),
        ({"any": ["self.stunned", "round > 10 and self.hp_pct < 50"]}, Or((STUNNED, And((LATE, LOW))))),
        ({"all": ["round > 10", "self.stunned and self.hp_pct < 50"]}, And((LATE, STUNNED, LOW))),
        ({"not": "self.stunned or round > 10"}, Not(Or((STUNNED, LATE)))),
        ({"all": ["self.stunned"]}, STUNNED),
        ({"any": [{"all": ["self.stunned"]}]}, STUNNED),
        ({"all": []}, ALWAYS),
        ({"any": []}, Not(ALWAYS)),
        ({"not": {"any": []}}, Not(Not(ALWAYS))),
    ],
)
def test_json_says_the_same_as_text(source: object, tree: Tree) -> None:
    assert tree_of(source) == tree
    assert tree_of(to_text(tree)) == tree


@pytest.mark.parametrize("source", [None, "", "   ", "\n\t "])
def test_nothing_is_no_condition(source: object) -> None:
    parsed = parse(source, VOCABULARY, where="when", strict=True)
    assert parsed.tree is None
    assert parsed.warnings == ()
    assert to_text(None) == ""


@settings(max_examples=times(40))
@given(trees)
def test_text_and_tree_are_the_same(tree: Tree) -> None:
    assert tree_of(to_text(tree)) == tree


def test_text_has_no_parentheses_that_it_does_not_need() -> None:
    source = "((not (self.stunned)) and ((round > 10) or (not (boss_present and once)))) or (always)"
    assert to_text(tree_of(source)) == "not self.stunned and (round > 10 or not (boss_present and once)) or always"


RANGE = "write a whole number from 0 to 100"
BY_ITSELF = "is true or false by itself and cannot be compared"
NUMBER = "is a number and has to be compared"
ONE_QUESTION = 'a group asks one question of each unit; put "and", "or" and "not" outside it'


@pytest.mark.parametrize(
    ("source", "message", "suggestion"),
    [
        ("self.hpp < 3", 'unknown fact "self.hpp" (column 1)', 'did you mean "self.hp_pct"?'),
        ("once and SELF.hp_pct < 3", 'unknown fact "SELF.hp_pct" (column 10)', 'did you mean "self.hp_pct"?'),
        ("once\nand self.stuned", 'unknown fact "self.stuned" (line 2, column 5)', 'did you mean "self.stunned"?'),
        ("zzz.qqq", 'unknown fact "zzz.qqq" (column 1)', None),
        (
            "hp_pct < 30",
            'unknown fact "hp_pct" (column 1)',
            'write "self.hp_pct < 50", "allies.any(hp_pct < 50)" or "enemies.any(hp_pct < 50)"',
        ),
        ("allies.stunned", 'unknown fact "allies.stunned" (column 1)', 'write "allies.any(stunned)"'),
        ("enemies.hp_pct < 9", 'unknown fact "enemies.hp_pct" (column 1)', 'write "enemies.any(hp_pct < 50)"'),
        ("allies.all", 'unknown fact "allies.all" (column 1)', 'write "allies.all(poisoned)"'),
        # numbers
        ("self.hp_pct < 150", '150 is out of range for "self.hp_pct" (column 15)', RANGE),
        ("self.hp_pct < -3", '-3 is out of range for "self.hp_pct" (column 15)', RANGE),
        ("enemies.count > 9", '9 is out of range for "enemies.count" (column 17)', "write a whole number from 0 to 8"),
        ("round > 1000001", '1000001 is out of range for "round" (column 9)', "write a whole number from 0 to 1000000"),
        (
            "enemies.count(stunned) > 6",
            '6 is out of range for "enemies.count" (column 26)',
            "write a whole number from 0 to 5",
        ),
        ("self.hp_pct < 1.5", '"self.hp_pct" is compared with "1.5", not with a whole number (column 15)', RANGE),
        (
            "self.hp_pct < NaN",
            '"self.hp_pct" is compared with "NaN", not with a whole number or a fact (column 15)',
            RANGE,
        ),
        ("self.hp_pct < 5e1", '"self.hp_pct" is compared with "5e1", not with a whole number (column 15)', RANGE),
        ("self.hp_pct < 50%", '"self.hp_pct" is compared with "50%", not with a whole number (column 15)', RANGE),
        ("self.hp_pct < +5", '"self.hp_pct" is compared with "+5", not with a whole number (column 15)', RANGE),
        (
            "self.hp_pct < round",
            '"self.hp_pct" is a percentage and "round" is not (column 15)',
            "compare a percentage with a number or another percentage",
        ),
        (
            "round < self.hp_pct",
            '"self.hp_pct" is a percentage and "round" is not (column 9)',
            "compare a percentage with a number or another percentage",
        ),
        ("round < round", '"round" is compared with itself (column 9)', None),
        (
            "round < boss_present",
            '"boss_present" is true or false by itself and cannot be compared (column 9)',
            'write "boss_present" or "not boss_present"',
        ),
        (
            "round < once",
            '"once" is true or false by itself and cannot be compared (column 9)',
            'write "once" or "not once"',
        ),
        ("round < self.chrge", 'unknown fact "self.chrge" (column 9)', 'did you mean "self.charge"?'),
        (
            "round < rond",
            '"round" is compared with "rond", not with a whole number or a fact (column 9)',
            'did you mean "round"?',
        ),
        (
            "enemies.any(charge < self.charge)",
            '"charge" is compared with "self.charge", not with a whole number (column 22)',
            "write a whole number from 0 to 100",
        ),
        ("50 > self.hp_pct", '"50" is not a fact (column 1)', 'write the fact first: "self.hp_pct < 50"'),
        ("once or 50", '"50" is not a fact (column 9)', None),
        ("ally_hp_below_150", '150 is out of range in "ally_hp_below_150"', RANGE),
        ("self_hp_from_10_to_101", '101 is out of range in "self_hp_from_10_to_101"', RANGE),
        ("every_0_rounds", '0 is out of range in "every_0_rounds"', "write a whole number from 1 to 1000000"),
        ("round multiple_of 3", '"multiple_of" is not a comparison (column 7)', "use < <= > >= == or !="),
        # bare or compared
        ("self.hp_pct", f'"self.hp_pct" {NUMBER} (column 1)', 'write "self.hp_pct < 50"'),
        ("not round", f'"round" {NUMBER} (column 5)', 'write "round >= 3"'),
        ("self.stunned == 1", f'"self.stunned" {BY_ITSELF} (column 1)', 'write "self.stunned" or "not self.stunned"'),
        ("boss_present > 0", f'"boss_present" {BY_ITSELF} (column 1)', 'write "boss_present" or "not boss_present"'),
        ("once == 1", f'"once" {BY_ITSELF} (column 1)', 'write "once" or "not once"'),
        ("always == 1", f'"always" {BY_ITSELF} (column 1)', 'write "always" or "not always"'),
        (
            "allies.any(stunned) > 2",
            f'"allies.any(stunned)" {BY_ITSELF} (column 1)',
            'write "allies.any(stunned)" or "not allies.any(stunned)"',
        ),
        ("allies.count(stunned)", f'"allies.count" {NUMBER} (column 1)', 'write "allies.count(stunned) >= 2"'),
        # inside groups
        ("allies.any(stuned)", '"allies.any" does not know "stuned" (column 12)', 'did you mean "stunned"?'),
        ("allies.any(qqq)", '"allies.any" does not know "qqq" (column 12)', None),
        ("allies.all(self.stunned)", '"allies.all" does not know "self.stunned" (column 12)', 'write "stunned"'),
        ("allies.any(hp_pct)", f'"hp_pct" {NUMBER} (column 12)', 'write "allies.any(hp_pct < 50)"'),
        ("allies.any(stunned > 0)", f'"stunned" {BY_ITSELF} (column 12)', 'write "allies.any(stunned)"'),
        (
            "allies.any(stunned and shielded)",
            '"allies.any" takes one status or one comparison of a unit\'s fact (column 1)',
            ONE_QUESTION,
        ),
        (
            "allies.count(not stunned) > 1",
            '"allies.count" takes one status or one comparison of a unit\'s fact (column 1)',
            ONE_QUESTION,
        ),
        (
            "allies.any(7)",
            '"allies.any" takes one status or one comparison of a unit\'s fact (column 1)',
            'write "allies.any(poisoned)"',
        ),
        ("allies.ann(stunned)", '"allies.ann" cannot be asked (column 1)', 'did you mean "allies.any"?'),
        (
            "self.owns(stunned)",
            '"self.owns" cannot be asked (column 1)',
            "ask allies or enemies with any, all or count",
        ),
    ],
)
def test_what_is_wrong_is_said_with_the_way_to_write_it(source: str, message: str, suggestion: str | None) -> None:
    assert problems_of(source) == (Problem("when", message, suggestion),)


AFTER = 'expected a comparison such as "< 50", "and", "or"'


@pytest.mark.parametrize(
    ("source", "message", "suggestion"),
    [
        ("once AND round > 1", f'column 6: found "AND", {AFTER} or the end', 'write "and" in lower case'),
        ("NOT once", f'column 5: found "once", {AFTER} or the end', 'write "not" in lower case'),
        ("once && once", f'column 6: found "&", {AFTER} or the end', 'write "and"'),
        ("once | once", f'column 6: found "|", {AFTER} or the end', 'write "or"'),
        ("!once", 'column 1: found "!", expected a name, a fact, "not" or "("', 'write "not"'),
        ("round = 3", f'column 7: found "=", {AFTER} or the end', 'write "=="'),
        ("round <> 3", 'column 8: found ">", expected a whole number or a fact', None),
        ("round <", "column 8: the condition ends, expected a whole number or a fact", None),
        ("1 < round < 9", 'column 11: found "<", expected "and", "or" or the end', 'join two comparisons with "and"'),
        ("(once", f'column 6: the condition ends, {AFTER} or ")"', 'a "(" is not closed'),
        ("once)", f'column 5: found ")", {AFTER} or the end', 'there is no matching "("'),
        ("and once", 'column 1: found "and", expected a name, a fact, "not" or "("', None),
        ("once or", 'column 8: the condition ends, expected a name, a fact, "not" or "("', None),
        ("allies.any()", 'column 12: found ")", expected a name, a fact, "not" or "("', None),
        ("self_hp_below_1.5", f'column 16: found ".5", {AFTER} or the end', "numbers are whole"),
        ("round multiple_of", "column 18: the condition ends, expected a whole number or a fact", None),
        ("multiple_of 3", 'column 1: found "multiple_of", expected a name, a fact, "not" or "("', None),
        ("(once) > 3", 'column 8: found ">", expected "and", "or" or the end', 'join two comparisons with "and"'),
        ("not", 'column 4: the condition ends, expected a name, a fact, "not" or "("', None),
        ("round < not", 'column 9: found "not", expected a whole number or a fact', None),
        ("(round < 3", 'column 11: the condition ends, expected "and", "or" or ")"', 'a "(" is not closed'),
        ("once\f", f'column 5: found "·", {AFTER} or the end', None),
        ("round > 1 once", 'column 11: found "once", expected "and", "or" or the end', None),
        ("round + 1 > 3", f'column 7: found "+", {AFTER} or the end', None),
        ("once\x1b[2J", f'column 5: found "·", {AFTER} or the end', None),
    ],
)
def test_a_syntax_error_has_a_column_and_says_what_was_expected(
    source: str, message: str, suggestion: str | None
) -> None:
    (problem,) = problems_of(source)
    assert (problem.where, problem.message.split("\n")[0], problem.suggestion) == ("when", message, suggestion)


def test_a_syntax_error_points_at_the_place() -> None:
    (problem,) = problems_of("once and\nself.hp_pct << 3")
    assert problem.message.split("\n") == [
        'line 2, column 14: found "<", expected a whole number or a fact',
        "    self.hp_pct << 3",
        "                 ^",
    ]


def test_a_long_line_is_cut_around_the_place() -> None:
    (problem,) = problems_of(" " * 300 + "once once" + " " * 300)
    _, line, mark = problem.message.split("\n")
    assert len(line) < 100
    assert line[mark.index("^") :].startswith("once")
    assert line[: mark.index("^")].endswith("once ")


@pytest.mark.parametrize(
    ("source", "where", "message", "suggestion"),
    [
        (3, "when", "a number is not a condition", 'write text, {"all": [...]}, {"any": [...]} or {"not": ...}'),
        (True, "when", "true or false is not a condition", None),
        (["once"], "when", "a list is not a condition", None),
        ({"all": ["once", ""]}, "when.all.1", "empty text is not a condition", None),
        ({"not": None}, "when.not", "null is not a condition", None),
        ({"any": [["once"]]}, "when.any.0", "a list is not a condition", None),
        ({"all": "once"}, "when.all", "all takes a list of conditions, not text", None),
        ({}, "when", "a condition has one key, all, any or not; this one has 0", None),
        ({"all": [], "any": []}, "when", "a condition has one key, all, any or not; this one has 2", None),
        ({"al": []}, "when", 'unknown key "al"', 'did you mean "all"?'),
        ({"xor": []}, "when", 'unknown key "xor"', "write all, any or not"),
        ({"all": [{"not": "self.hpp < 3"}]}, "when.all.0.not", 'unknown fact "self.hpp" (column 1)', None),
        (
            {"any": ["once", "round <"]},
            "when.any.1",
            "column 8: the condition ends, expected a whole number or a fact",
            None,
        ),
    ],
)
def test_a_problem_in_json_has_its_path(source: object, where: str, message: str, suggestion: str | None) -> None:
    (problem,) = problems_of(source)
    assert (problem.where, problem.message.split("\n")[0]) == (where, message)
    assert suggestion is None or problem.suggestion == suggestion


def test_everything_that_is_wrong_is_said_at_once() -> None:
    source = {"all": ["self.hpp < 3 and round > -1", "once or", {"nott": "once"}, "ally_hp_below_101 or zzz"]}
    found = [(problem.where, problem.message.split("\n")[0]) for problem in problems_of(source, strict=True)]
    assert found == [
        ("when.all.0", 'unknown fact "self.hpp" (column 1)'),
        ("when.all.0", '-1 is out of range for "round" (column 26)'),
        ("when.all.1", 'column 8: the condition ends, expected a name, a fact, "not" or "("'),
        ("when.all.2", 'unknown key "nott"'),
        ("when.all.3", '101 is out of range in "ally_hp_below_101"'),
        ("when.all.3", 'unknown condition "zzz"'),
    ]


@pytest.mark.parametrize(
    ("source", "name", "value", "suggestion"),
    [
        ("aly_hp_below_35", "aly_hp_below_35", "true", 'did you mean "ally_hp_below_35"?'),
        ("not self_has_buf", "self_has_buf", "false, being negated", 'did you mean "self_has_buff"?'),
        ("not not once_", "once_", "true", 'did you mean "once"?'),
        ({"not": "not (once or zzz)"}, "zzz", "true", None),
        ({"not": {"all": ["once", "zzz"]}}, "zzz", "false, being negated", None),
        ("Ally_Hp_Below_50", "Ally_Hp_Below_50", "true", 'did you mean "ally_hp_below_50"?'),
        ("ally_hp_below_fifty", "ally_hp_below_fifty", "true", 'did you mean "ally_hp_below_N"?'),
        (
            "self_lacks_frozen",
            "self_lacks_frozen",
            "true",
            'did you mean "self_lacks_poisoned", "self_lacks_stunned" or "self_lacks_shielded"?',
        ),
        (
            "stunned",
            "stunned",
            "true",
            'write "self.stunned", "allies.any(stunned)" or "enemies.any(stunned)"',
        ),
        ("allies", "allies", "true", 'write "allies.any(poisoned)"'),
    ],
)
def test_an_unknown_name_is_a_warning_and_an_error_where_it_has_to_be(
    source: object, name: str, value: str, suggestion: str | None
) -> None:
    (warning,) = parse(source, VOCABULARY, where="when").warnings
    assert warning.message == f'unknown condition "{name}" counts as {value}, so it never blocks'
    assert warning.suggestion == suggestion
    assert warning.where.startswith("when")
    for option in ("strict", "content"):
        (problem,) = problems_of(source, **{option: True})
        assert problem == Problem(warning.where, f'unknown condition "{name}"', suggestion)


def test_an_unknown_name_is_named_once_in_each_place() -> None:
    assert len(parse("zzz or zzz and zzz", VOCABULARY, where="when").warnings) == 1
    assert len(parse({"any": ["zzz", "zzz"]}, VOCABULARY, where="when").warnings) == 2


def test_an_unknown_name_keeps_the_text_of_its_author() -> None:
    tree = tree_of("zzz and not zzz")
    assert tree == And((Constant(True, "zzz"), Not(Constant(False, "zzz"))))
    assert to_text(tree) == "zzz and not zzz"


def test_known_conditions_warn_of_nothing() -> None:
    assert parse("ally_hp_below_50 and always", VOCABULARY, where="when").warnings == ()


def test_a_vocabulary_without_groups_and_statuses() -> None:
    alone = Vocabulary(
        (Fact("round", 0, FactKind.ROUND, "The round."),), names=(Alias("self_has_X", "self.X", "Has X."),)
    )
    check_names(alone)
    assert parse("round >= 2", alone, where="when").tree == Comparison("round", ">=", 2)
    assert [warning.suggestion for warning in parse("self_has_x", alone, where="when").warnings] == [None]
    with pytest.raises(InputError) as caught:
        parse("allies.any(stunned)", alone, where="when")
    assert caught.value.problems == (Problem("when", '"allies.any" cannot be asked (column 1)'),)


def test_the_example_vocabulary_holds_together() -> None:
    check_names(VOCABULARY)


def test_a_family_whose_numbers_begin_above_one_is_in_order() -> None:
    facts = (Fact("level", 0, FactKind.PLAIN, "The level.", low=5, high=9),)
    vocabulary = Vocabulary(facts, names=(Alias("level_gte_N", "level >= N", "Level N or more."),))
    check_names(vocabulary)
    assert parse("level_gte_5", vocabulary, where="when").tree == Named("level_gte_5", Comparison("level", ">=", 5))
    with pytest.raises(InputError, match="write a whole number from 5 to 9"):
        parse("level_gte_4", vocabulary, where="when")


@pytest.mark.parametrize(
    ("alias", "message"),
    [
        (Alias("broken", "self.nothing < 3", ""), 'broken: unknown fact "self.nothing"'),
        (Alias("vague", "hp < 3", ""), 'vague: unknown fact "hp"'),
        (Alias("nameless", "nobody_knows", ""), 'nameless: unknown fact "nobody_knows"'),
        (Alias("far", "round > 101", ""), 'far: 101 is out of range for "round"'),
        (Alias("self_has_X", "self.X", ""), 'self_has_stunned: unknown fact "self.stunned"'),
        (Alias("circle", "not circle", ""), "circle: a named condition is at most 8 deep"),
    ],
)
def test_a_vocabulary_that_does_not_hold_together(alias: Alias, message: str) -> None:
    facts = (Fact("round", 0, FactKind.ROUND, "The round.", high=100),)
    vocabulary = Vocabulary(facts, statuses=(Flag("stunned", 0, ""),), names=(alias,))
    with pytest.raises(ValueError, match=message):
        check_names(vocabulary)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"facts": (Fact("a", 0, FactKind.FLAG, ""), Fact("a", 1, FactKind.FLAG, ""))}, "name 'a' appears twice"),
        (
            {"facts": (Fact("a", 0, FactKind.FLAG, ""), Fact("b", 0, FactKind.FLAG, ""))},
            "code of a fact 0 appears twice",
        ),
        ({"facts": (), "groups": (Units("allies", 0, ""),)}, "code of a group 0 appears twice"),
        (
            {"facts": (), "unit_facts": (Fact("hp", 1, FactKind.PLAIN, ""),), "statuses": (Flag("s", 1, ""),)},
            "code of a unit fact or status 1 appears twice",
        ),
        ({"facts": (Fact("Self.hp", 0, FactKind.PLAIN, ""),)}, "'Self.hp' cannot be a name in conditions"),
        ({"facts": (), "names": (Alias("not", "always", ""),)}, "'not' cannot be a name in conditions"),
        ({"facts": (), "names": (Alias("always", "always", ""),)}, "'always' cannot be a name in conditions"),
    ],
)
def test_a_vocabulary_that_contradicts_itself(parts: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Vocabulary(**parts)


@pytest.mark.parametrize(
    ("name", "known", "answer"),
    [
        ("firebal", ["fireball", "heal"], 'did you mean "fireball"?'),
        ("FIREBALL", ["heal", "fireball"], 'did you mean "fireball"?'),
        ("zzz", ["fireball"], None),
        ("firebal", [], None),
        ("f" * 5000, ["f" * 5000], None),
    ],
)
def test_the_nearest_name(name: str, known: list[str], answer: str | None) -> None:
    assert nearest(name, known) == answer


def test_the_nearest_names() -> None:
    known = ["self_hp_below_50", "ally_hp_below_50", "ally_hp_below_30", "round"]
    assert nearest("aly_hp_below_50", known, limit=3) == 'did you mean "ally_hp_below_50" or "ally_hp_below_30"?'


def test_quotations_are_short_and_harmless() -> None:
    assert quoted("x" * 100) == '"' + "x" * 60 + '…"'
    assert quoted("a\x1b[2Jb\n") == '"a·[2Jb·"'
