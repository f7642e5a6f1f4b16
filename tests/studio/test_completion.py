"""What may be written at the cursor, which is a bar in these texts."""

from __future__ import annotations

import pytest

from fracas.content.packs import examples_folder
from fracas.studio.completion import completions
from fracas.studio.drafts import Draft


def text_of(ruleset: str, name: str) -> str:
    return (examples_folder() / ruleset / f"{name}.toml").read_text(encoding="utf-8")


SQUADS, DELVE = text_of("squads", "standard-5v5"), text_of("delve", "goblin-warrens")
RELICS, TITANS = text_of("relics", "first-duel"), text_of("titans", "standard")
STACKS = text_of("stacks", "first-attack")


def offered(text: str, name: str = "mine.toml") -> dict[str, dict]:
    at = text.index("|")
    text = text.replace("|", "", 1)
    found = completions(Draft(text, name), at)
    typed = text[found["from"] : at]
    return {option["label"]: option for option in found["options"] if option["label"].startswith(typed)}


TABLE = [
    (SQUADS.replace('formation = "balanced"', 'formation = "fl|"', 1), {"flanking"}),
    (SQUADS.replace('formation = "balanced"', "form|", 1), {"formation"}),
    (SQUADS.replace('"scout"', '"sco|"', 1), {"scout"}),
    (SQUADS.replace('"scout"', '"sco|', 1), {"scout"}),
    (SQUADS.replace("enemy_count_gte_2", "self.hp|", 1), {"self.hp_pct"}),
    (SQUADS.replace("enemy_count_gte_2", "enemies.any(stun|", 1), {"stunned"}),
    (SQUADS.replace("Fireball =", "Fireb|\nFireball =", 1), {"Fireball"}),
    (SQUADS.replace('target = "priority"', "tar|", 1), {"target"}),
    (DELVE.replace('"sand_in_the_eyes"', '"sand|"', 1), {"sand_in_the_eyes"}),
    (DELVE.replace('"vanguard_2"', '"vang|"', 1), {"vanguard_2"}),
    (STACKS.replace('"axe_sworn"', '"axe|"', 1), {"axe_sworn"}),
    (RELICS.replace('"hazel_cudgel"', '"hazel|"', 1), {"hazel_cudgel"}),
    (TITANS.replace('"stone_warden"', '"stone|"', 1), {"stone_warden"}),
    (TITANS.replace('"fortify"', '"fort|"', 1), {"fortify"}),
    ('ruleset = "sq|', {"squads"}),
    ("ruleset|", {f'ruleset = "{name}"' for name in ("squads", "delve", "stacks", "relics", "titans")}),
    ('ruleset = "squads"\n[[sid|', {"sides"}),
]


@pytest.mark.parametrize(("text", "wanted"), TABLE)
def test_what_begins_like_this_is_offered(text, wanted):
    assert wanted <= set(offered(text))


def test_values_bring_their_quotation_marks_and_keys_too():
    assert offered(SQUADS.replace('"scout"', "|", 1))["scout"]["insert"] == '"scout"'
    keys = offered(SQUADS.replace("Fireball =", "|\nFireball =", 1))
    assert keys["Black Hail"]["insert"] == '"Black Hail"'
    assert keys["Fortify"]["insert"] == "Fortify"


def test_keys_that_are_there_are_not_offered_again():
    keys = offered(SQUADS.replace('formation = "balanced"\n', 'formation = "balanced"\n|\n', 1))
    assert "formation" not in keys
    assert "ally_priority" in keys
    assert "allyPriority" not in keys


def test_what_is_offered_is_explained():
    assert offered(SQUADS.replace('"scout"', '"sco|"', 1))["scout"]["detail"] == "Scout"
    assert offered(SQUADS.replace("enemy_count_gte_2", "self.hp|", 1))["self.hp_pct"]["info"]
    assert offered(SQUADS.replace('target = "priority"', "tar|", 1))["target"]["info"]


def test_content_of_the_user_is_offered_to_the_user_only(tmp_path):
    pack = tmp_path / "units.toml"
    unit = {"id": "owl", "name": "Owl", "class": "mage", "class_ability": "fireball", "ultimate": "falling_sky"}
    lines = [f'{key} = "{value}"' for key, value in unit.items()] + [
        f"{stat} = 9" for stat in ("hp", "attack", "defense", "speed")
    ]
    pack.write_text("[[units]]\n" + "\n".join(lines) + "\n", encoding="utf-8")
    text = SQUADS.replace('"scout"', '"ow"', 1)
    at = text.index('"ow"') + 3
    own, foreign = (Draft(text, "m.toml", content=(tmp_path,), is_foreign=is_foreign) for is_foreign in (False, True))
    assert "owl" in {each["label"] for each in completions(own, at)["options"]}
    assert "owl" not in {each["label"] for each in completions(foreign, at)["options"]}


def test_json_is_completed_too():
    assert "scout" in offered('{"ruleset": "squads", "sides": [{"units": ["sco|"]}]}', "mine.json")
    assert "units" in offered('{"ruleset": "squads", "sides": [{"un|"}]}', "mine.json")


def test_nothing_is_offered_in_comments():
    assert offered('ruleset = "squads"\n# form|') == {}
