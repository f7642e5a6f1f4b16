"""What becomes of a relics scenario when everything in it is looked up; share codes."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from blake3 import blake3
from tests.helpers.relics import battle, item
from tests.helpers.scenarios import problems_of

import fracas
from fracas.cli.check.validate import examine
from fracas.content.packs import Library
from fracas.errors import InputError
from fracas.rulesets.contract.types import Document, Source
from fracas.rulesets.relics.content import share_codes
from fracas.rulesets.relics.content.fighter_resolver import by_slot
from fracas.rulesets.relics.content.library import library_for
from fracas.rulesets.relics.content.models.fighters import Worn
from fracas.rulesets.relics.content.models.items import Item
from fracas.rulesets.relics.content.places import PLACES
from fracas.rulesets.relics.content.scenario_resolver import resolve
from fracas.rulesets.relics.content.share_codes import CodePiece, code_of, hash_of, pieces_of_code
from fracas.rulesets.relics.rules.constants import TIERS
from fracas.rulesets.shared.random_choices import Choices

SOURCE = Source("scenario")


def resolved(document: Document) -> Document:
    return resolve(json.loads(json.dumps(document)), SOURCE, (), {}).document


@pytest.fixture(scope="module")
def library() -> Library:
    return library_for(None, ())


def test_a_bare_fighter_has_the_stats_of_everybody():
    left = resolved(battle())["left"]
    assert left["stats"] == {"health": 20, "attack": 1, "armor": 0, "speed": 1}
    assert (left["name"], left["items"], left["sets"], left["phases"]) == ("Left", [], [], [])


def test_two_fighters_of_one_name_are_told_apart():
    document = resolved(battle({"name": "Twin"}, {"name": "Twin"}))
    assert [document[side]["name"] for side in ("left", "right")] == ["Twin", "Twin-2"]


def test_short_names_of_stats_mean_the_same():
    assert resolved(battle({"stats": {"hp": 7, "atk": 2}}))["left"]["stats"] == {
        "health": 7,
        "attack": 2,
        "armor": 0,
        "speed": 1,
    }


def test_a_state_stands_for_the_stats():
    left = resolved(battle({"state": {"hp": 3, "hp_max": 9, "atk": 2}, "items": ["horned_helm"]}))["left"]
    assert "stats" not in left
    assert left["state"]["hp_max"] == 9
    assert left["items"][0]["triggers"]["battle_start"][0]["op"] == "gain_thorns"


@pytest.mark.parametrize(
    ("slots", "order"),
    [
        ([None, None, None], [0, 1, 2]),
        ([3, 1, 2], [1, 2, 0]),
        ([None, 1, None], [1, 0, 2]),
        ([None, 2, None], [0, 1, 2]),
        ([12, None], [1, 0]),
        ([2, 3, None, None], [2, 0, 1, 3]),
    ],
)
def test_items_stand_in_the_order_of_their_slots(slots, order):
    pieces = [Worn(id=f"i{n}", slot=slot) if slot else f"i{n}" for n, slot in enumerate(slots)]
    assert by_slot(pieces) == order


def test_keys_of_a_piece_stand_in_place_of_the_contents():
    piece = {"id": "horned_helm", "name": "Mine", "stats": {"armor": 1}, "tier": "diamond"}
    (worn,) = resolved(battle({"items": [piece]}))["left"]["items"]
    assert (worn["name"], worn["tier"], worn["stats"]["armor"]) == ("Mine", "diamond", 1)
    assert worn["triggers"]["battle_start"][0]["op"] == "gain_thorns"


def test_an_item_of_the_scenarios_stands_in_place_of_the_contents():
    own = {"horned_helm": item("horned_helm", stats={"armor": 9})}
    left = resolved(battle({"items": ["items/horned_helm"]}, items=own))["left"]
    assert (left["items"][0]["stats"]["armor"], left["items"][0]["triggers"]) == (9, {})


def test_an_item_of_the_scenarios_may_be_of_another_bucket():
    """Resolving it again, as --set does, finds it as it is and not the content's."""
    document = battle({"weapon": "kettle_hat"})
    document["items"] = {"kettle_hat": {"bucket": "weapons", "stats": {"attack": 2}}}
    once = fracas.load(document)
    changed = fracas.load(document, overrides=["left.weapon.stats.attack=3"]).document["left"]["weapon"]
    assert (once.document["left"]["weapon"]["stats"]["attack"], changed["stats"]["attack"]) == (2, 3)
    assert changed["tags"] == []


def test_gear_may_name_its_buckets(tmp_path):
    gear = 'weapon = "weapons/boomstick"\nitems = ["items/horned_helm"]\n'
    text = f'[[enemies]]\nid = "a"\nlevels = [{{ stats = {{}} }}]\n{gear}[[bosses]]\nid = "b"\nstats = {{}}\n{gear}'
    assert content_problems(tmp_path, text) == []
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "own.toml").write_text(text)
    for fighter in ({"enemy": "a"}, {"boss": "b"}):
        worn = fracas.load(battle(fighter), content=[folder]).document["left"]
        assert (worn["weapon"]["id"], worn["items"][0]["id"]) == ("boomstick", "horned_helm")
    assert content_problems(tmp_path, text.replace("items/h", "food/h"))[0].endswith("is an item, not food")


def test_what_has_no_name_is_called_by_its_id():
    assert resolved(battle({"items": [item("old-clock_hand")]}))["left"]["items"][0]["name"] == "Old Clock Hand"


# Sets.


def test_a_set_holds_from_so_many_pieces_on(library):
    bonus = next(iter(library.of("sets").values()))
    tagged = [item(f"i{n}", tags=[bonus.tag]) for n in range(bonus.pieces)]
    assert bonus.id in [entry["id"] for entry in resolved(battle({"items": tagged}))["left"]["sets"]]
    assert bonus.id not in [entry["id"] for entry in resolved(battle({"items": tagged[1:]}))["left"]["sets"]]


def test_the_same_item_twice_counts_twice_for_a_set(library):
    bonus = next(iter(library.of("sets").values()))
    worn = [item("same", tags=[bonus.tag])] * bonus.pieces
    assert bonus.id in [entry["id"] for entry in resolved(battle({"items": worn}))["left"]["sets"]]


def test_an_exchange_by_override_takes_the_set_along(library):
    bonus = next(iter(library.of("sets").values()))
    tagged = [item(f"i{n}", tags=[bonus.tag]) for n in range(bonus.pieces)]
    document = battle({"items": tagged})
    without = fracas.load(document, overrides={"left.items.0.tags": []})
    assert bonus.id not in [entry["id"] for entry in without.document["left"]["sets"]]
    changed = fracas.load(document, overrides={"left.sets.0.stats.armor": 7})
    assert changed.document["left"]["sets"][0]["stats"]["armor"] == 7


# Enemies and bosses.


def test_an_enemy_is_what_its_level_says(library):
    for enemy in library.of("enemies").values():
        for number, level in enumerate(enemy.levels, 1):
            right = resolved(battle({}, {"enemy": enemy.id, "level": number}))["right"]
            assert right["stats"] == level.stats.model_dump()
            assert right["tier"] == level.tier
            assert [piece["id"] for piece in right["items"]] == enemy.items


def test_a_boss_brings_its_phases(library):
    for boss in library.of("bosses").values():
        right = resolved(battle({}, {"boss": boss.id}))["right"]
        assert [phase["name"] for phase in right["phases"]] == [phase.name for phase in boss.phases]


# Share codes.

BUILD = {
    "weapon": [CodePiece("boomstick", "normal")],
    "upgrades": [],
    "items": [CodePiece("horned_helm", "golden"), CodePiece("iceblock_shield", "diamond")],
    "food": [],
}


def test_a_code_is_what_the_rule_book_says(library):
    def piece(name: str, tier: int) -> bytes:
        number = int.from_bytes(blake3(name.encode()).digest()[:4], "big") % 2**30
        return (tier * 2**30 + number).to_bytes(4, "big")

    data = (
        b"\x01" + piece("boomstick", 0) + b"\x00\x02" + piece("horned_helm", 1) + piece("iceblock_shield", 2) + b"\x00"
    )
    text = code_of(BUILD, library.of("items"), "x")
    whole = data + blake3(data).digest()[:3]
    assert text == "R1" + base64.urlsafe_b64encode(whole).decode().rstrip("=")


def test_reading_a_code_gives_the_build(library):
    text = code_of(BUILD, library.of("items"), "x")
    assert pieces_of_code(text, library.of("items")) == {
        "weapon": "boomstick",
        "items": [{"id": "horned_helm", "tier": "golden"}, {"id": "iceblock_shield", "tier": "diamond"}],
    }


def random_builds(library: Library, count: int) -> list[dict[str, list[CodePiece]]]:
    dice = Choices("builds for share codes")
    builds = []
    for _ in range(count):
        build = {}
        for key, place in PLACES.items():
            names = [name for name, entry in library.of("items").items() if entry.bucket == place.bucket]
            some = dice.some(names, 0, place.room)
            build[key] = [CodePiece(name, dice.choose(TIERS)) for name in some]
        builds.append(build)
    return builds


def test_codes_of_random_builds_round_trip_and_differ(library):
    items = library.of("items")
    builds = random_builds(library, 60)
    texts = [code_of(build, items, "x") for build in builds]
    assert len(set(texts)) == len({json.dumps(build) for build in builds})
    for build, text in zip(builds, texts, strict=True):
        pieces = pieces_of_code(text, items)
        listed = {key: value if isinstance(value, list) else [value] for key, value in pieces.items()}
        again = {
            place: [
                CodePiece(piece, "normal") if isinstance(piece, str) else CodePiece(**piece)
                for piece in listed.get(place, [])
            ]
            for place in PLACES
        }
        assert again == build
        assert code_of(again, items, "x") == text


def test_a_code_is_the_build_in_a_scenario(library):
    text = code_of(BUILD, library.of("items"), "x")
    by_code = resolved(battle({"code": text}))["left"]
    by_hand = resolved(battle({"weapon": "boomstick", "items": pieces_of_code(text, library.of("items"))["items"]}))[
        "left"
    ]
    assert by_code == by_hand


def test_every_changed_letter_of_a_code_is_noticed(library):
    items = library.of("items")
    text = code_of(BUILD, items, "x")
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for place in range(2, len(text)):
        for letter in (letters[(letters.index(text[place]) + 1) % 64], letters[(letters.index(text[place]) + 32) % 64]):
            changed = text[:place] + letter + text[place + 1 :]
            with pytest.raises(InputError):
                pieces_of_code(changed, items)
    for changed in (
        text[:-1],
        text + "A",
        text + "=",
        text[:5] + " " + text[5:],
        "r1" + text[2:],
        "R1",
        "R2" + text[2:],
    ):
        with pytest.raises(InputError):
            pieces_of_code(changed, items)


def sealed(data: bytes) -> str:
    """A code with any bytes and a right check."""
    whole = data + blake3(data).digest()[:3]
    return "R1" + base64.urlsafe_b64encode(whole).decode().rstrip("=")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\x00\x00\x00", "is cut short"),
        (b"\x02", "has 2 weapon; at most 1 fit"),
        (b"\x00\x00\x0d\x00", "has 13 items; at most 12 fit"),
        (b"\x01\x00", "is cut short"),
        (b"\x00\x00\x00\x00\x00", "has extra bytes at its end"),
        (b"\x01\xc0\x00\x00\x00\x00\x00\x00", "has an unknown tier: 3"),
        (b"\x01\x00\x00\x00\x00\x00\x00\x00", "names a weapon that this content does not have"),
    ],
)
def test_a_code_with_a_right_check_and_wrong_bytes_is_refused(library, data, told):
    with pytest.raises(InputError) as caught:
        pieces_of_code(sealed(data), library.of("items"))
    assert told in caught.value.problems[0].message


def test_an_item_is_found_in_its_own_bucket_alone(library):
    number = (hash_of("horned_helm")).to_bytes(4, "big")
    with pytest.raises(InputError, match="names a weapon that this content does not have"):
        pieces_of_code(sealed(b"\x01" + number + b"\x00\x00\x00"), library.of("items"))


def test_two_items_of_one_number_are_in_no_code(monkeypatch):
    items = {name: Item.model_validate({"id": name}) for name in ("one", "other", "third")}
    monkeypatch.setattr(share_codes, "hash_of", lambda name: 7 if name != "third" else 9)
    with pytest.raises(InputError, match="have the same number"):
        code_of({"items": [CodePiece("one", "normal")]}, items, "x")
    assert pieces_of_code(code_of({"items": [CodePiece("third", "normal")]}, items, "x"), items) == {"items": ["third"]}
    number = (7).to_bytes(4, "big")
    with pytest.raises(InputError, match="names an item that this content does not have"):
        pieces_of_code(sealed(b"\x00\x00\x01" + number + b"\x00"), items)


def test_the_content_has_no_two_items_of_one_number(library):
    numbers = [hash_of(name) for name in library.of("items")]
    assert len(set(numbers)) == len(numbers)


# Content by itself.


def content_problems(tmp_path: Any, text: str) -> list[str]:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return [f"{p.where.removeprefix(str(path) + ': ')}: {p.message}" for p in problems_of(examine, path, [], [], False)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[[items]]\nid = "a"\nstats = { armor = 25 }', 'items.a.stats.armor: "a" has 25 armor, above the cap of 20'),
        (
            '[[items]]\nid = "a"\ntriggers = { pre = [["deal", 1, { if = "woundd" }]] }',
            'items.a.triggers.pre.0.if: unknown condition "woundd"',
        ),
        (
            '[[enemies]]\nid = "a"\nlevels = [{ stats = {} }]\nitems = ["horned_hlm"]',
            'enemies.a.items.0: there is no item "horned_hlm"',
        ),
        (
            '[[enemies]]\nid = "a"\nlevels = [{ stats = {} }]\nitems = ["boomstick"]',
            'enemies.a.items.0: "boomstick" is a weapon, not an item',
        ),
        (
            (
                '[[bosses]]\nid = "a"\nstats = {}\n'
                'phases = [{ name = "b", stats = {}, modifiers = [["attack", 1, { if = "x" }]] }]'
            ),
            'bosses.a.phases.0.modifiers.0.if: unknown condition "x"',
        ),
        (
            '[[items]]\nid = "a"\nflags = ["cant_attack"]\n[[profiles]]\nid = "a"\nbase = "canva"',
            'profiles.a.base: there is no profile "canva"',
        ),
        ('[[sets]]\nid = "a"\ntag = "gem"\npieces = 0', "sets.0.pieces: 0 is out of range: it must be at least 1"),
    ],
)
def test_bad_content_is_refused_where_it_is_wrong(tmp_path, text, told):
    assert content_problems(tmp_path, text) == [told]


def test_a_build_stands_by_itself(tmp_path):
    path = tmp_path / "build.toml"
    path.write_text('name = "Mine"\nweapon = "boomstick"\nitems = ["horned_helm"]')
    assert examine(path, [], [], False) == ("relics build file", ())
    assert content_problems(tmp_path, 'weapon = "boomstik"\nitems = ["boomstick"]') == [
        'weapon: there is no item "boomstik"',
        'items.0: "boomstick" is a weapon, not an item',
    ]


def test_values_of_the_scenarios_own_items_are_set_where_the_file_has_them():
    document = battle({"items": ["cone"]}, {"items": ["kettle_hat", "cone"]})
    document["items"] = {"cone": {"stats": {"armor": 2}}}
    changed = fracas.load(document, overrides=["items.cone.stats.armor=3"]).document
    assert [changed[side]["items"][place]["stats"]["armor"] for side, place in (("left", 0), ("right", 1))] == [3, 3]
    changed = fracas.load(document, overrides=["left.items.0.stats.armor=3"]).document
    assert changed["left"]["items"][0]["stats"]["armor"] == 3
    assert changed["right"]["items"][1]["stats"]["armor"] == 2


def test_who_stands_there_and_at_which_level_can_be_set_and_varied():
    document = battle({"weapon": "boomstick"}) | {"right": {"enemy": "marsh_toad"}}
    names = [
        fracas.load(document, overrides=[change]).document["right"]["name"]
        for change in ("right.level=2", "right.enemy=marsh_toad", "right.stats.health=70")
    ]
    assert names == ["Marsh Toad (level 2)", "Marsh Toad (level 1)", "Marsh Toad (level 1)"]
    found = fracas.sweep(document, {"right.level": [1, 3]}, n=1)
    health = [point.results.loaded.document["right"]["stats"]["health"] for point in found.points]
    assert health[0] < health[1]
    assert (
        fracas.load(document, overrides=["left.weapon.id=bell_flail"]).document["left"]["weapon"]["id"] == "bell_flail"
    )


def test_another_code_is_decoded_anew():
    [one, other] = (
        fracas.share_codes(battle({"items": worn}))["left"] for worn in (["kettle_hat"], ["oak_targe", "ember_ring"])
    )
    coded = battle() | {"left": {"code": one}}
    pieces = fracas.load(coded, overrides={"left.code": other}).document["left"]["items"]
    assert [piece["id"] for piece in pieces] == ["oak_targe", "ember_ring"]


def test_a_piece_named_anew_keeps_its_tier():
    document = battle({"items": [{"id": "kettle_hat", "tier": "golden"}, "oak_targe"]})
    scenario = fracas.load(document, overrides=["left.items.0.id=ember_ring"])
    first = scenario.document["left"]["items"][0]
    assert (first["id"], first["tier"]) == ("ember_ring", "golden")


HEAVY = {"items": [{"id": "anvil", "stats": {"armor": 25}}]}


def test_caps_that_are_set_hold_for_what_the_file_says():
    def armor(*overrides: str, **options: Any) -> int:
        document = battle(HEAVY) | {"options": options}
        return int(fracas.load(document, overrides=overrides).document["left"]["items"][0]["stats"]["armor"])

    assert armor("options.stat_cap_mode=clamp") == 20
    assert armor("options.stat_caps.armor=30") == 25
    assert armor("options.stat_caps.armor=30", stat_cap_mode="clamp") == 25
    assert armor("options.stat_caps.armor=4", stat_cap_mode="clamp") == 4
    [problem] = problems_of(armor, "options.stat_cap_mode=reject", stat_cap_mode="clamp")
    assert problem.where == "scenario: left.items.0.stats.armor"
