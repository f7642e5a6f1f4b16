"""The examples as pages of the site: every shipped battle, and each battle of the shipped campaigns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import MappingProxyType

from fracas.content.packs import example_summary, examples_folder
from fracas.engine.battle import Battle, play_battle
from fracas.engine.campaign import load_campaign, run_campaign
from fracas.engine.scenario import load_scenario
from fracas.errors import InputError
from fracas.kit.game import Game
from fracas.lab.simulation.timeline import hp_by_round
from fracas.portable import artefacts
from fracas.rulesets import registry
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.site.part_types import POLICY, Card, Part, Section, links, root_of, shared_script
from fracas.web.battle import (
    STYLES,
    battle_element,
    battle_script,
    filled,
    island,
    layout_of,
    module_text,
    outcome_of,
    side_names,
    style_of,
)
from fracas.web.page import heading, note_element, policy, title_of

# What a ruleset is about, in a sentence, and the example that its section begins with.
_TOLD: Mapping[str, str] = MappingProxyType(
    {
        "squads": "Two sides of up to eight fight by plans they declared: formations, priorities, conditions.",
        "delve": "A party goes through the encounters of a quest, by queues of skills and rolls of a d100.",
        "stacks": "A stack attacks a tile of the map, neighbours join in, and every unit makes its best move.",
        "relics": "Two fighters whose items do the fighting, in the order of an agenda.",
        "titans": "Two titans choose at the same time and in secret, turn both choices over, and roll for speed.",
    }
)
FIRST: Mapping[str, str] = MappingProxyType(
    {
        "squads": "standard-5v5",
        "delve": "standard-run",
        "stacks": "first-attack",
        "relics": "first-duel",
        "titans": "standard",
    }
)
# Where a game has its battles, beside its file, and the one that its section begins with.
SCENARIOS, FIRST_OF_GAMES = "scenarios", "first"
# What the site's studio opens: the pages of examples by ruleset.
INDEX = "examples/index.json"
_WIDTH, _HEIGHT = 100, 30


@dataclass(frozen=True)
class Example:
    """A battle of the site."""

    path: str
    name: str
    about: str
    battle: Battle


def examples_part(rulesets: Sequence[str]) -> Part:
    """A page for every example of these rulesets, with the scripts that they share."""
    files: dict[str, bytes] = {}
    sections = []
    listed = []
    for name in rulesets:
        files[f"assets/battle-{name}.js"] = shared_script(battle_script([name]))
        files[f"assets/whole-{name}.js"] = _whole(name)
        ruleset = registry.get(name)
        files[f"assets/rules-{name}.js"] = _rules(ruleset)
        first = FIRST.get(name, FIRST_OF_GAMES)
        found = sorted(_examples(ruleset), key=lambda each: (each.name != first, "/campaigns/" in each.path))
        for number, each in enumerate(found):
            around = (found[number - 1] if number else None, found[number + 1] if number + 1 < len(found) else None)
            files[each.path] = _page(each, *around)
        title, told = (
            (name.capitalize(), _TOLD[name]) if name in _TOLD else (ruleset.title, f"{_capital(ruleset.summary)}.")
        )
        sections.append(Section(name, title, escape(told), [_card(each) for each in found]))
        # The studio plays shipped rulesets, and battles that a page can carry.
        if name in _TOLD:
            battles = [each for each in found if not each.battle.scenario.compiled.plugins]
            listed.append({"ruleset": name, "battles": [_listed(each) for each in battles]})
    files[INDEX] = json.dumps(listed, ensure_ascii=False, indent=1).encode()
    return Part(files, sections)


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _listed(example: Example) -> dict[str, str]:
    sides = " against ".join(side_names(example.battle))
    return {"path": example.path, "name": example.name, "sides": sides}


def _rules(ruleset: Ruleset) -> bytes:
    """A ruleset's module and layout as a script, which pages of a host and of a disk may load alike."""
    module = module_text(ruleset) if artefacts.is_current(ruleset.identity) else ""
    found = f'{{"layout":{island(layout_of(ruleset))},"module":"{module}"}}'
    return f"(globalThis.fracasRules ??= {{}}).{ruleset.name} = {found};\n".encode()


def _whole(ruleset: str) -> bytes:
    """What a page of a ruleset has when it is saved as one file, as a script, which pages may load but not read."""
    script, style = battle_script([ruleset]), style_of(*STYLES, "page.css")
    parts = {"policy": policy(script, style), "style": style, "script": script}
    return f"globalThis.fracasWhole = {island(parts)};\n".encode()


def _examples(ruleset: Ruleset) -> Iterator[Example]:
    if isinstance(ruleset, Game):
        yield from _scenarios(ruleset)
        return
    folder = examples_folder() / ruleset.name
    for file in [*sorted(folder.glob("*.toml")), *sorted(folder.glob("vectors/*.toml"))]:
        battle = play_battle(load_scenario(file))
        yield Example(_path(folder, file), file.stem, example_summary(file), battle)
    for file in sorted(folder.glob("campaigns/*.toml")):
        yield from _campaign(folder, file)


def _scenarios(game: Game) -> Iterator[Example]:
    """The battles in the folder `scenarios` beside a game's file.

    Raises:
        InputError: there are none.
    """
    folder = game.source.parent / SCENARIOS if game.source is not None else None
    files = sorted(folder.glob("*.toml")) if folder is not None else []
    if not files:
        where = str(folder or game.name)
        raise InputError.of(where, f"has no scenarios of {game.name}, of which a site consists", "add first.toml")
    for file in files:
        path = f"examples/{game.name}/{file.stem}.html"
        yield Example(path, file.stem, example_summary(file), play_battle(load_scenario(file)))


def _campaign(folder: Path, file: Path) -> Iterator[Example]:
    try:
        plan = load_campaign(file)
    except InputError:
        # The worlds of campaigns lie beside them.
        return
    fought = run_campaign(plan).fought
    for number, each in enumerate(fought, 1):
        if each.battle is not None:
            path = _path(folder, file).replace(".html", f"-{number}.html")
            yield Example(path, f"{file.stem}, attack {number} of {len(fought)}", example_summary(file), each.battle)


def _path(folder: Path, file: Path) -> str:
    return f"examples/{folder.name}/{file.relative_to(folder).with_suffix('.html').as_posix()}"


def _page(example: Example, before: Example | None, after: Example | None) -> bytes:
    name, root = example.battle.scenario.ruleset.name, root_of(example.path)
    style, script = links(example.path, (*STYLES, "page.css"), (f"rules-{name}.js", f"battle-{name}.js"))
    ways = [f'<a href="{root}index.html#{name}">All battles</a>']
    ways += [
        f'<a rel="{way}" href="{root}{each.path}">{escape(told.format(each.name))}</a>'
        for way, told, each in (("prev", "← {}", before), ("next", "{} →", after))
        if each is not None
    ]
    parts = {
        "policy": escape(POLICY),
        "title": escape(title_of(example.battle)),
        "heading": heading(side_names(example.battle)),
        "style": style,
        "navigation": f'<nav class="ways" aria-label="Battles">{" ".join(ways)}</nav>',
        "note": note_element(f"Note by the author: {example.about}" if example.about else ""),
        "battle": battle_element(example.battle, anchor="story"),
        "rules": "",
        "script": script,
    }
    return filled("page.html", parts).encode()


def _card(example: Example) -> Card:
    battle = example.battle
    told = f'<span class="name">{escape(example.name)}</span> <span>{escape(outcome_of(battle))}</span>'
    if example.about:
        told += f' <span class="about">{escape(example.about)}</span>'
    return Card(example.path, heading(side_names(battle)), told, _curves(battle))


def _curves(battle: Battle) -> str:
    """HP of both sides at the end of each round, as a small drawing."""
    assert battle.rows is not None, "the battle was played without a log"
    try:
        rounds = hp_by_round(battle.scenario, battle.rows).tolist()
    except InputError:
        # A game without bars.
        return ""
    most = max((hp for sides in rounds for hp in sides), default=0)
    if len(rounds) < 2 or not most:
        return ""
    lines = []
    for side in (0, 1):
        points = [
            f"{_WIDTH * index / (len(rounds) - 1):.1f} {_HEIGHT - 1 - (_HEIGHT - 2) * sides[side] / most:.1f}"
            for index, sides in enumerate(rounds)
        ]
        way = f"M{'L'.join(points)}"
        lines.append(f'<path class="area side{side + 1}" d="{way}L{_WIDTH} {_HEIGHT}L0 {_HEIGHT}z"/>')
        lines.append(f'<path class="side{side + 1}" d="{way}"/>')
    return (
        f'<svg class="curves" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">'
        f"{''.join(lines)}</svg>"
    )
