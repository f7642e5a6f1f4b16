"""A battle as an element of a page: its outcome as text, its events as data, and what is needed to replay it.

A browser without scripts shows the outcome. With scripts the page writes the story from the events, plays the battle
again, and compares every text about it with what was played (`data/web/statements.js`). Several battles of one ruleset
on a page share the module.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import msgspec

from fracas.engine.battle import Battle
from fracas.kit.game import Game
from fracas.portable import artefacts
from fracas.portable.memory_layout import describe
from fracas.replay.bundle_file import bundle_of, takes_decisions
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.web.decisions import decisions_of
from fracas.web.drawing import drawing_of
from fracas.web.modules import FOLDER, page_script
from fracas.web.stage_setup import stage_setup

STYLES = ("design.css", "battle.css", "stage.css", "player.css", "form.css")


def battle_element(
    battle: Battle,
    *,
    anchor: str = "",
    moment: int | None = None,
    turning: tuple[int, str, int] | None = None,
    people: Sequence[str] = (),
    report: Mapping[str, str] | None = None,
) -> str:
    """The element of a battle that was played with a log.

    `anchor` is the id of the story, `moment` the tick that is shown first, and `turning` the tick of the turning point
    with what to call it and of how many rollouts it is: the page finds it again. `people` are whose the sides are, and
    `report` is what a report says about the battle: its kind, its scenario if there are several, why it is shown.

    Raises:
        InputError: the rules' module is older than the rules.
    """
    scenario = battle.scenario
    name = scenario.ruleset.name
    called = side_names(battle, people)
    # Battles with code of their own are shown, but no other machine can play them.
    reason = _why_unchecked(battle)
    assert battle.rows is not None, "the battle was played without a log"
    data = {
        "sides": side_names(battle),
        "people": list(people),
        "cast": stage_setup(scenario),
        "drawing": drawing_of(scenario),
        "outcome": {"winner": battle.winner, "reason": battle.reason, "rounds": battle.rounds},
        "moment": moment,
        "turning": None if turning is None else dict(zip(("tick", "told", "count"), turning, strict=True)),
        "report": report,
        "unpacked": reason,
        # Nobody knows what people would choose with other dice.
        "decisions": None if reason or battle.decisions else decisions_of(battle),
    }
    if reason:
        data["books"] = {book: list(names) for book, names in scenario.compiled.books.items()}
    facts = f'{name}, {scenario.id}, profile {scenario.profile}, seed "{scenario.seed}", battle {battle.stream}'
    return filled(
        "battle.html",
        {
            "ruleset": name,
            "label": escape(f"{' against '.join(called)}, battle {battle.stream}"),
            "facts": escape(facts),
            "outcome": escape(outcome_of(battle, people)),
            "anchor": f'id="{anchor}" ' if anchor else "",
            "data": island(data),
            "rows": island(battle.rows.ravel().tolist()),
            "bundle": island(None if reason else msgspec.to_builtins(bundle_of(battle))),
        },
    )


def side_names(battle: Battle, people: Sequence[str] = ()) -> list[str]:
    """The names of both sides, beside those of the people whose they are."""
    sides = [str(side) for side in battle.scenario.ruleset.side_names(battle.scenario.document)]
    return [f"{owner} ({side})" for owner, side in zip(people, sides, strict=True)] if people else sides


def outcome_of(battle: Battle, people: Sequence[str] = ()) -> str:
    """How the battle ended, as a sentence without a full stop."""
    names, ruleset = side_names(battle, people), battle.scenario.ruleset
    who = f"Victory for {names[battle.winner - 1]}" if battle.winner else "A draw"
    rounds = f"{battle.rounds} round{'' if battle.rounds == 1 else 's'}"
    words = (
        ruleset.endings()
        if isinstance(ruleset, Game)
        else {"left_fell": f"{names[0]} fell", "right_fell": f"{names[1]} fell"}
    )
    return f"{who} after {rounds}: {words.get(battle.reason, battle.reason.replace('_', ' '))}"


def rules_elements(battles: Iterable[Battle]) -> str:
    """The layouts and modules that these battles need, each once, as islands of a page."""
    found: dict[str, Ruleset] = {}
    checked: set[str] = set()
    for battle in battles:
        ruleset = battle.scenario.ruleset
        found[ruleset.name] = ruleset
        if not _why_unchecked(battle):
            checked.add(ruleset.name)
    parts = []
    for name, ruleset in found.items():
        module = module_text(ruleset) if name in checked else ""
        parts.append(f'<script type="application/json" id="layout-{name}">{island(layout_of(ruleset))}</script>\n')
        parts.append(f'<script type="text/plain" id="module-{name}">{module}</script>\n')
    return "".join(parts)


def layout_of(ruleset: Ruleset) -> Mapping[str, Any]:
    """A ruleset's layout; that of a game says what its stage shows, too, and is there without a module."""
    if not isinstance(ruleset, Game):
        return artefacts.layout(ruleset.name)
    identity = ruleset.identity
    described = artefacts.layout(identity) if artefacts.is_current(identity) else describe(ruleset)
    return {**described, "stage": ruleset.stage()}


def module_text(ruleset: Ruleset) -> str:
    """A ruleset's module in base64."""
    return base64.b64encode(artefacts.module_file(ruleset.identity).read_bytes()).decode()


def battle_script(rulesets: Iterable[str]) -> str:
    """The script that opens the battles of a page."""
    return page_script("page.js", rulesets, "openPage(rulesets);")


def style_of(*names: str) -> str:
    """These style sheets as one text."""
    return "".join((FOLDER / name).read_text(encoding="utf-8") for name in names)


def filled(template: str, parts: Mapping[str, str]) -> str:
    """A page of the folder, filled in; values that are filled in are not searched again."""
    pieces = (FOLDER / template).read_text(encoding="utf-8").split("@@")
    return "".join(parts[piece] if place % 2 else piece for place, piece in enumerate(pieces))


def island(value: Any) -> str:
    """JSON that cannot end a script element, no matter what its texts contain."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _why_unchecked(battle: Battle) -> str:
    """Why a page cannot play a battle again; empty if it can."""
    if battle.scenario.compiled.plugins:
        return "Not checked: this battle is played with code of its own, which a page cannot carry."
    ruleset = battle.scenario.ruleset
    if battle.decisions is not None and not takes_decisions(ruleset):
        return "Not checked: agents decided in this battle. Check its replay with fracas verify."
    if isinstance(ruleset, Game) and not artefacts.is_current(ruleset.identity):
        return f"Not checked: {ruleset.name} had no WebAssembly module when this page was made; fracas watch builds it."
    return ""
