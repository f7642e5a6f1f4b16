"""What ships with relics: enough of everything, everything that can be declared at work, and nothing to remark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.relics_content import BOSSES, ENEMIES, ITEMS, LIBRARY, RELICS, bodies

import fracas
from fracas.conditions import And, Or, Versus, parse, to_text
from fracas.files.read import read_document
from fracas.rulesets.contract.types import Source
from fracas.rulesets.relics.content.fighter_resolver import conditions_of
from fracas.rulesets.relics.content.models.effects import effects_of, flag_uses
from fracas.rulesets.relics.content.models.items import Body, Item
from fracas.rulesets.relics.content.vocabulary import own_tags_in, vocabulary_for
from fracas.rulesets.relics.declarations.ops import OPS
from fracas.rulesets.relics.declarations.triggers import FLAGS, MODIFIERS, SOURCES, STATUS_DOCS, TRIGGERS
from fracas.rulesets.relics.declarations.types import WORDS
from fracas.rulesets.relics.rules import constants as codes

EXAMPLES = Path(__file__).parents[4] / "examples" / "relics"
LEAST_USES = 2

# What all of the content must use, by kind, as it is declared.
DECLARED = {
    "trigger": tuple(TRIGGERS),
    "op": tuple(OPS),
    "flag": tuple(FLAGS),
    "modifier": tuple(MODIFIERS),
    "status": (*STATUS_DOCS, *LIBRARY.of("statuses")),
    "tier": codes.TIERS,
    "target": codes.TARGETS,
    "when": codes.MOMENTS,
    "which": codes.SELECTIONS,
    "picked status": ("random", "each"),
    "bucket": ("weapons", "upgrades", "items", "food"),
    "tag": codes.TAGS,
    "limit": ("tag", "source"),
    "source": SOURCES,
    "comparison": ("of two facts", "with a number below 0", "of a tag of the content's own"),
}


def uses_of(body: Body) -> Iterator[tuple[str, str]]:
    """What something uses, by kind and name."""
    for trigger, entries in body.triggers.items():
        for effect in effects_of(entries, trigger):
            yield "trigger", trigger
            for op in effect.do:
                yield "op", op.op
                for name in ("target", "when", "which", "status"):
                    value = op.argument(name)
                    if value is not None:
                        yield ("picked status" if value in ("random", "each") and name == "status" else name), value
    yield from (("flag", form.name) for form, _ in flag_uses(body.flags))
    for modifier in body.modifiers:
        yield "modifier", modifier.modifier
        if modifier.status is not None:
            yield "status", modifier.status
        yield from (("limit", key) for key in ("tag", "source") if getattr(modifier, key) is not None)
        if modifier.source is not None:
            yield "source", modifier.source
    for _, condition in conditions_of(body):
        tree = parse(condition, vocabulary_for(condition), where="if").tree
        text = to_text(tree)
        if " < -" in text or " <= -" in text or " < 0" in text:
            yield "comparison", "with a number below 0"
        parts = tree.parts if isinstance(tree, And | Or) else [tree]
        yield from (("comparison", "of two facts") for part in parts if isinstance(part, Versus))
    yield from (("comparison", "of a tag of the content's own") for _ in own_tags_in(body.model_dump(by_alias=True)))


def all_uses(found: Iterable[Body]) -> Counter[tuple[str, str]]:
    """How often everything is used by the bodies, and by what is told of items and enemies besides."""
    uses = Counter(use for body in found for use in uses_of(body))
    for item in ITEMS.values():
        uses.update([("bucket", item.bucket), *(("tag", tag) for tag in item.tags)])
    uses.update(("tier", level.tier) for enemy in ENEMIES.values() for level in enemy.levels)
    return uses


def too_rare(kind: str, names: Iterable[str], uses: Counter[tuple[str, str]]) -> list[str]:
    return [name for name in names if uses[kind, name] < LEAST_USES]


@pytest.mark.parametrize("kind", DECLARED)
def test_everything_that_is_declared_is_used_twice(kind):
    assert too_rare(kind, DECLARED[kind], all_uses(bodies())) == []


def test_what_nothing_uses_would_be_found():
    uses = all_uses(bodies())
    assert too_rare("op", ("gain_armor", "gain_gold"), uses) == ["gain_gold"]
    without = [body for body in bodies() if "on_kill" not in body.triggers]
    assert too_rare("trigger", TRIGGERS, all_uses(without)) == ["on_kill"]


def test_every_argument_with_words_is_looked_at():
    """A new kind of argument with a closed list of words shows up here, to be counted above."""
    counted = {"target", "when", "which", "status", "stat", "what", "from", "to", "trigger"}
    told = {argument.name for form in OPS.values() for argument in form.arguments if argument.kind in WORDS}
    assert told <= counted


def test_there_is_as_much_as_was_promised():
    buckets = Counter(item.bucket for item in ITEMS.values())
    own = buckets["items"] + buckets["weapons"] - len(SEED)
    assert own >= 120
    assert buckets["weapons"] >= 20
    assert min(buckets["upgrades"], buckets["food"]) >= 8
    assert len(LIBRARY.of("sets")) == 20
    assert buckets["food"] == 30
    assert len(ENEMIES) == 12
    assert {len(enemy.levels) for enemy in ENEMIES.values()} == {3}
    assert sorted(len(boss.phases) for boss in BOSSES.values()) == [*[0] * 12, 1, 1, 1]
    assert set(LIBRARY.of("profiles")) == {"canvas", "game"}


def test_names_are_told_apart():
    for kind in ("items", "sets", "statuses", "enemies", "bosses"):
        names = [entry.name for entry in LIBRARY.of(kind).values()]
        assert None not in names
        assert len(set(names)) == len(names)


# The seed's nine, by its numbers.
SEED: dict[str, dict[str, Any]] = {
    "boomstick": {"triggers": {"on_hit": [["onhit_extra_damage", 1]]}},
    "horned_helm": {"triggers": {"battle_start": [["gain_thorns", 1]]}},
    "iceblock_shield": {"triggers": {"battle_start": [["gain_armor", 8], ["gain_freeze", 2]]}},
    "blood_sausage": {"triggers": {"battle_start": [["self_hp_plus", 1, {"repeat": 5}]]}},
    "sour_cherry": {"triggers": {"battle_start": [["enemy_hp_minus", 1, {"repeat": 2}]]}},
    "corroded_bone": {"triggers": {"battle_start": [["enemy_hp_to_enemy_armor_pct", 50]]}},
    "earrings_of_respite": {"triggers": {"every_other_turn": [["heal", 3]]}},
    "assault_greaves": {"flags": ["on_damaged_deal_damage", 1]},
    "rusty_ring": {"triggers": {"battle_start": [["give", "acid", 1, "enemy"]]}},
}


@pytest.mark.parametrize("identifier", SEED)
def test_the_seeds_items_have_the_seeds_numbers(identifier):
    expected = Item.model_validate({"id": identifier, **SEED[identifier]})
    shipped = ITEMS[identifier]
    assert (shipped.triggers, shipped.flags, shipped.modifiers) == (expected.triggers, expected.flags, [])
    stats = {name: value for name, value in shipped.stats.model_dump().items() if value}
    assert stats == ({"attack": 2} if identifier == "boomstick" else {})


def test_stats_stay_within_the_caps():
    assert all(value <= codes.DEFAULT_CAP for item in ITEMS.values() for value in item.stats.model_dump().values())


def test_enemies_grow_with_their_levels():
    for enemy in ENEMIES.values():
        healths = [level.stats.health for level in enemy.levels]
        assert healths == sorted(set(healths))


def test_the_game_differs_from_the_canvas_in_known_points():
    profiles = LIBRARY.of("profiles")
    canvas, game = (profiles[name].options.model_dump(exclude_none=True) for name in ("canvas", "game"))
    assert set(canvas) == set(type(profiles["canvas"].options).model_fields)
    assert {name for name in game if game[name] != canvas[name]} == {
        "freeze_side",
        "freeze_decay",
        "thorns_clear",
        "death_check",
        "corroded_bone_receiver",
        "onhit_order",
        "onhit_damage_route",
        "hp_minus_route",
        "riptide_route",
    }


def test_nothing_can_be_remarked_about_what_ships():
    assert RELICS.lint_content() == []
    for path in sorted(EXAMPLES.rglob("*.*")):
        source, document = Source(str(path), path.parent), read_document(path)
        if path.parent.name == "own-items":
            assert RELICS.lint_file("content", document, source) == []
        else:
            assert RELICS.lint(document, source) == []


def test_the_benchmark_is_two_builds_of_twelve_items_with_luck_and_a_close_fight():
    scenario = fracas.load(EXAMPLES / "standard.toml")
    assert [len(scenario.document[side]["items"]) for side in ("left", "right")] == [12, 12]
    results = fracas.simulate(scenario, 24)
    assert not results.deterministic
    assert min(results.wins) >= 3
    assert 10 <= results.rounds.mean <= 25


def test_a_profile_turns_the_winter_over():
    """The canvas and the game read Freeze in opposite ways; the example is won by the other side."""
    winners = [
        fracas.simulate(fracas.load(EXAMPLES / "winter-as-in-the-game.toml", profile=name), 6).wins
        for name in ("game", "canvas")
    ]
    assert winners[0][1] >= 5
    assert winners[1][0] >= 5


@pytest.mark.parametrize(
    ("vector", "hp_by_turn"),
    [
        ("freeze-and-on-hit", [(20, 20), (20, 18)]),
        ("blood-sausage", [(20, 20)]),
        ("sour-cherry", [(20, 18)]),
        ("corroded-bone", [(20, 10), (20, 10)]),
        ("thorns-once", [(20, 20), (17, 16), (16, 16)]),
        ("assault-greaves", [(20, 20), (19, 20), (17, 20)]),
    ],
)
def test_the_seeds_vectors_come_out_as_the_seed_says(vector, hp_by_turn):
    events: list[Any] = list(fracas.run(EXAMPLES / "vectors" / f"{vector}.toml").events)
    turns = [(event.hp_1, event.hp_2) for event in events if type(event).__name__ == "Turn"]
    assert turns[: len(hp_by_turn)] == hp_by_turn
