"""The form of every ruleset, and what it writes into the text."""

from __future__ import annotations

import json

import pytest

from fracas.content.document_edits import get_path
from fracas.content.packs import examples_folder
from fracas.errors import InputError
from fracas.rulesets import registry
from fracas.studio.drafts import Draft
from fracas.studio.form import form_of, with_choice, with_number, with_plain_value

STANDARD = {
    "squads": "first-battle",
    "delve": "goblin-warrens",
    "stacks": "first-attack",
    "relics": "first-duel",
    "titans": "standard",
}


def drafted(ruleset: str, name: str = "") -> Draft:
    file = examples_folder() / ruleset / f"{name or STANDARD[ruleset]}.toml"
    return Draft(file.read_text(encoding="utf-8"), file.name, file.parent)


def lines_changed(before: str, after: str) -> set[str]:
    return set(after.split("\n")) - set(before.split("\n"))


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_a_number_that_is_turned_stands_in_the_text(ruleset):
    draft = drafted(ruleset)
    number = form_of(draft)[0]["owners"][0]["numbers"][1]
    value = number["value"] + 3
    text = with_number(draft, number["path"], value)
    after = draft.with_text(text)
    assert get_path(after.scenario.document, number["path"]) == value
    # Comments and everything else stay.
    comments = [line for line in draft.text.split("\n") if line.startswith("#")]
    assert [line for line in text.split("\n") if line.startswith("#")] == comments
    assert form_of(after)[0]["owners"][0]["numbers"][1]["value"] == value


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_a_choice_that_is_made_stands_in_the_text(ruleset):
    draft = drafted(ruleset)
    choice = form_of(draft)[0]["choices"][-1]
    number = next(place for place in range(len(choice["labels"])) if place != choice["current"])
    after = draft.with_text(with_choice(draft, choice["path"], number))
    chosen = next(each for each in form_of(after)[0]["choices"] if each["path"] == choice["path"])
    assert chosen["labels"][chosen["current"]].partition("-")[0] == choice["labels"][number].partition("-")[0]


def test_changes_are_as_short_as_people_write_them():
    draft = drafted("squads")
    text = with_number(draft, ["sides", "0", "units", "1", "attack"], 44)
    assert lines_changed(draft.text, text) == {'units = ["scout", {id = "scout", attack = 44}, "shield_bearer"]'}
    again = with_number(draft.with_text(text), ["sides", "0", "units", "1", "attack"], 45)
    assert lines_changed(text, again) == {'units = ["scout", {id = "scout", attack = 45}, "shield_bearer"]'}
    place = next(each for each in form_of(draft)[0]["choices"] if each["path"][-2:] == ["units", "0"])
    text = with_choice(draft, place["path"], place["labels"].index("Apprentice Wizard"))
    assert lines_changed(draft.text, text) == {'units = ["apprentice_wizard", "scout", "shield_bearer"]'}
    draft = drafted("titans")
    do = ["players", "1", "policy", "rules", "0", "do"]
    rest = next(each for each in form_of(draft)[1]["choices"] if each["path"] == do)["labels"].index("rest")
    assert lines_changed(draft.text, with_choice(draft, do, rest)) == {'    { do = "rest" },'}


def test_what_is_worn_is_reckoned_with():
    draft = drafted("delve")
    text = with_number(draft, ["party", "0", "armor"], 9)
    assert lines_changed(draft.text, text) == {"armor = 7"}


def test_a_quest_is_not_written_out_for_one_number():
    draft = drafted("delve")
    number = form_of(draft)[1]["owners"][0]["numbers"][0]
    with pytest.raises(InputError, match="characters of shipped content"):
        with_number(draft, number["path"], number["value"] + 1)


def test_json_stays_json():
    draft = drafted("squads")
    document = Draft(json.dumps(draft.document), "mine.json")
    text = with_number(document, ["sides", "1", "units", "0", "hp"], 7)
    assert json.loads(text)["sides"][1]["units"][0] == {"id": "bronze_knight", "hp": 7}


REFUSED = [
    (["sides", "0", "units", "0", "attack"], 0, "out of range: from 1 to"),
    (["sides", "0", "units", "0", "attack"], 1.5, "not a whole number"),
    (["sides", "0", "units", "0", "attack"], float("nan"), "not a number"),
    (["sides", "0", "units", "9", "attack"], 5, "no such number"),
    (["id"], 5, "no such number"),
]


@pytest.mark.parametrize(("path", "value", "message"), REFUSED)
def test_numbers_that_do_not_fit_are_refused(path, value, message):
    with pytest.raises(InputError, match=message):
        with_number(drafted("squads"), path, value)


def test_choices_that_are_not_there_are_refused():
    draft = drafted("squads")
    for number in (-1, 999, True):
        with pytest.raises(InputError, match="no such choice"):
            with_choice(draft, ["sides", "0", "strategy", "formation"], number)
    with pytest.raises(InputError, match="can be changed to this"):
        with_plain_value(draft, ["sides", "0", "strategy", "formation"], "circular")


def test_conditions_stay_text_but_a_proposal_may_change_them():
    draft = drafted("squads")
    paths = [each["path"] for side in form_of(draft) for each in side["choices"]]
    assert paths
    assert not [path for path in paths if path[-1] == "when"]
    text = with_plain_value(draft, ["sides", "0", "strategy", "targetPriority"], ["fastest"])
    assert lines_changed(draft.text, text) == {'target_priority = ["fastest"]'}
