"""Measures relics builds against each other, enemies and bosses, and what each item is worth to them.

The builds use only shipped content. Reduced versions show earlier stages: a weapon and three items at level 1, seven
items and an upgrade at level 2, everything at level 3. All match-ups are fought from both sides, because the rules
favour the left.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from statistics import mean
from typing import Any

import numpy as np
from benchmarks.figures import ROOT, table

import fracas
from fracas.content.packs import Library
from fracas.engine.scenario import compile_document
from fracas.kernel.jit import native
from fracas.rulesets import registry
from fracas.rulesets.relics.content.fighter_resolver import Resolver
from fracas.rulesets.relics.content.models.fighters import Fighter
from fracas.rulesets.relics.narration.item_text import item_text
from fracas.rulesets.relics.rules.constants import DRAW
from fracas.rulesets.relics.rules.entry_points import play_many
from fracas.rulesets.relics.rules.state import result_t

PAGES = (ROOT / "docs/explanation/balance-of-relics.md",)
MARK = "printed by benchmarks/balance.py relics"
BATTLES = 60
SHOWN = 12

Document = dict[str, Any]

BUILDS: dict[str, Document] = {
    "Hedge": {
        "weapon": "two_tined_fork",
        "upgrades": ["barbed_wire", "fresh_whetting"],
        "items": "oak_targe cactus_flower holly_ring spiked_targe quill_mail burr_boots kettle_hat gorse_collar "
        "whetted_rail spine_locket plain_band padded_coat",
        "food": ["barley_loaf", "nut_brittle"],
    },
    "Furnace": {
        "weapon": "boomstick",
        "upgrades": ["burning_pitch", "fresh_whetting"],
        "items": "ember_ring tallow_lamp oak_targe cinder_gloves kiln_brick padded_coat spark_boots signal_rocket "
        "brazier_crown iron_band walnut hearth_tile",
        "food": ["pepper_stew", "barley_loaf"],
    },
    "Winter": {
        "weapon": "rime_pike",
        "upgrades": ["frosted_fuller", "fresh_whetting"],
        "items": "frozen_comb cold_iron_bar iceblock_shield hoarfrost_ring sledge_runners kettle_hat rime_cloak "
        "thaw_stone winter_almanac plain_band padded_coat iron_band",
        "food": ["mint_ice", "barley_loaf"],
    },
    "Apothecary": {
        "weapon": "adder_knife",
        "upgrades": ["toadstool_rub", "swan_grease"],
        "items": "hemlock_vial oak_targe toad_skin rust_powder nightshade_wreath padded_coat leech_jar kettle_hat "
        "verdigris_coin fever_charm alkahest iron_band",
        "food": ["barley_loaf", "milk_jug"],
    },
    "Infirmary": {
        "weapon": "wick_stiletto",
        "upgrades": ["silver_inlay", "fresh_whetting"],
        "items": "pilgrim_beads kettle_hat candle_stub quilted_banner halo_wire padded_coat mercy_bandage well_rope "
        "sundial earrings_of_respite plain_band tallow_lamp",
        "food": ["bone_broth", "barley_loaf"],
    },
    "Library": {
        "weapon": "yew_longbow",
        "upgrades": ["makers_mark", "riveted_guard"],
        "items": "loose_page oak_targe bookend pitch_pot kettle_hat bound_atlas primer bellows star_chart "
        "index_cards padded_coat egg_timer",
        "food": ["barley_loaf", "nut_brittle"],
    },
    "Pack": {
        "weapon": "needle_dirk",
        "upgrades": ["swan_grease", "plaited_grip"],
        "items": "ferret_harness badger_pelt plain_band tooth_necklace ram_horn oak_targe hare_foot crow_feather "
        "drum_belt watch_cap debt_note padded_coat",
        "food": ["barley_loaf", "smoked_eel"],
    },
    "Wall": {
        "weapon": "shield_boss",
        "upgrades": ["riveted_guard", "fresh_whetting"],
        "items": "oak_targe mason_apron mirror_shield rampart_token stone_bracers kettle_hat drawbridge_chain "
        "assault_greaves abacus bell_shield plain_band patched_brigandine",
        "food": ["nut_brittle", "barley_loaf"],
    },
}
# The build that tries on every item, and its opponents.
WEARERS = ("Furnace", "Pack")
RIVALS = ("Winter", "Infirmary")
# What a build has at each level: upgrades, items, food.
LEVELS = ((0, 3, 0), (1, 7, 1), (2, 12, 2))


def build(name: str, level: int) -> Document:
    """A build as it is at a level, from 1."""
    whole, (upgrades, items, food) = BUILDS[name], LEVELS[level - 1]
    parts = {"upgrades": whole["upgrades"][:upgrades], "items": whole["items"].split()[:items]}
    return {"name": name, "weapon": whole["weapon"], **parts, "food": whole["food"][:food]}


@cache
def library() -> Library:
    """All content."""
    return registry.get("relics").read_library(None, [])


@cache
def setting() -> Document:
    """A resolved battle without its fighters."""
    return fracas.load({"ruleset": "relics", "id": "balance", "left": {}, "right": {}}).document


def resolved(*fighters: Document) -> list[Document]:
    """Resolve fighters completely."""
    resolver = Resolver("benchmark", library())
    found = [resolver.fighter("", Fighter.model_validate(fighter), "Somebody") for fighter in fighters]
    resolver.raise_problems()
    return found


def fought(one: Document, other: Document, battles: int) -> Iterator[tuple[Any, int]]:
    """Results of two resolved fighters, from both sides, with the index of the first fighter.

    There are thousands of these match-ups, and a full simulation would take longer than the fight.
    """
    for side, left, right in ((0, one, other), (1, other, one)):
        compiled = compile_document({**setting(), "left": left, "right": right}, {}).compiled
        results = np.zeros(1 if compiled.record[0]["deterministic"] else battles, result_t)
        native(play_many)(compiled.record, 0, results, None, None)
        yield results, side


def won(one: Document, other: Document, battles: int) -> float:
    """The first fighter's wins in per cent of battles fought from both sides; a draw is half a win."""
    shares = [
        np.mean(results["winner"] == side + 1) + np.mean(results["winner"] == DRAW) / 2
        for results, side in fought(one, other, battles)
    ]
    return 100 * float(mean(shares))


def margin(one: Document, other: Document, battles: int) -> float:
    """The first fighter's final HP less the other's; HP below 0 count as 0."""
    found = []
    for results, side in fought(one, other, battles):
        hp = np.maximum(results["hp_left"], 0).mean(axis=0)
        found.append(float(hp[side] - hp[1 - side]))
    return mean(found)


def build_table(battles: int) -> str:
    """Every full build against every other."""
    builds = dict(zip(BUILDS, resolved(*(build(name, 3) for name in BUILDS)), strict=True))
    rows = []
    for name, one in builds.items():
        shares = [won(one, other, battles) for rival, other in builds.items() if rival != name]
        cells = iter(shares)
        against = ("–" if rival == name else f"{next(cells):.0f}" for rival in builds)
        rows.append([name, *against, f"{mean(shares):.0f}"])
    return table(["wins of, against", *builds, "all"], rows)


def opponents() -> Iterator[tuple[str, int, Document]]:
    """Every enemy at every level, then every boss, as level 0."""
    for identifier, enemy in sorted(library().of("enemies").items()):
        levels = [{"enemy": identifier, "level": level} for level in (1, 2, 3)]
        yield from ((enemy.name, level, each) for level, each in enumerate(resolved(*levels), start=1))
    for identifier, boss in sorted(library().of("bosses").items()):
        yield boss.name, 0, resolved({"boss": identifier})[0]


def ladder_table(battles: int) -> str:
    """How often each build of each level beats each opponent; only level 3 is shown by build."""
    last = len(LEVELS)
    builds = {level: resolved(*(build(name, level) for name in BUILDS)) for level in range(1, last + 1)}
    rows: dict[str, list[str]] = {}
    for name, level, opponent in opponents():
        shares = [won(each, opponent, battles) for each in builds[level or last]]
        row = rows.setdefault(name, [] if level else ["", ""])
        row += [f"{mean(shares):.0f}", *([f"{share:.0f}" for share in shares] if level in (0, last) else [])]
    head = ["beaten by builds of level", "1", "2", "3", *BUILDS]
    return table(head, ([name, *cells] for name, cells in rows.items()))


def item_worths(battles: int) -> list[tuple[float, str]]:
    """Each item's worth: the margin of builds with it in their first place, above that with the place empty."""
    names = [name for name, item in library().of("items").items() if item.bucket == "items"]
    rivals = resolved(*(build(name, 2) for name in RIVALS))
    worths = dict.fromkeys(names, 0.0)
    for wearer in WEARERS:
        bare = {**build(wearer, 2), "items": build(wearer, 2)["items"][1:]}
        worn = ({**bare, "items": [name, *bare["items"]]} for name in names)
        without, *within = (mean(margin(each, rival, battles) for rival in rivals) for each in resolved(bare, *worn))
        for name, found in zip(names, within, strict=True):
            worths[name] += (found - without) / len(WEARERS)
    return sorted(((worth, name) for name, worth in worths.items()), reverse=True)


def item_table(battles: int) -> str:
    """The items that help most and least, in builds that were not made for them."""
    worths = item_worths(battles)
    rows = []
    for worth, name in [*worths[:SHOWN], *worths[-SHOWN:]]:
        item = library().of("items")[name]
        rows.append([f"{item.name}: {item_text(item)}", f"{worth:+.1f}"])
    return table(["item", "HP"], rows)


def report(battles: int) -> Iterator[str]:
    """The parts of the page, one by one as they are measured."""
    relics = registry.get("relics")
    yield f"Rules version {relics.rules_version}, {battles:,} battles a cell each way; per cent."
    yield "**Full builds against each other**"
    yield build_table(battles)
    yield "**Enemies by level, and bosses: how often they are beaten**"
    yield ladder_table(battles)
    yield "**What an item adds to a build that was not made for it**"
    yield item_table(max(1, battles // 10))
