"""A battle as an element of a page: its outcome and story as text, its events as data, and what is needed to replay it.

A browser without scripts shows the outcome and the story. Several battles of one ruleset on a page share the module.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

import msgspec

from fracas.engine.battle import Battle
from fracas.errors import InputError
from fracas.events.styled_text import PLAIN, Line
from fracas.portable import artefacts
from fracas.replay.bundle_file import bundle_of
from fracas.web.modules import FOLDER, has_stage, page_script
from fracas.web.stage_setup import rows_after, stage_setup

STYLES = ("design.css", "battle.css")


def battle_element(
    battle: Battle, *, anchor: str = "", moment: int | None = None, turning: tuple[int, str] | None = None
) -> str:
    """The element of a battle that was played with a log.

    `anchor` is the id of the story, `moment` the tick that is shown first, and `turning` the tick of the turning point
    with what to call it; without one the page marks the largest swing of HP.

    Raises:
        InputError: the rules' module is older than the rules, or nothing draws their battles.
    """
    scenario = battle.scenario
    name = scenario.ruleset.name
    if not has_stage(name):
        raise InputError.of(name, "cannot be watched, because nothing draws its battles yet", "fracas run tells them")
    sides = side_names(battle)
    # Battles with code of their own are shown, but no other machine can play them.
    reason = _why_unchecked(battle)
    assert battle.rows is not None, "the battle was played without a log"
    data = {
        "ruleset": name,
        "sides": sides,
        "cast": stage_setup(scenario),
        "books": {book: list(names) for book, names in scenario.compiled.books.items()},
        "ticks": {str(tick): battle.place(tick) for tick in battle.tick_digests},
        "after": rows_after(battle),
        "outcome": {"winner": battle.winner, "reason": battle.reason, "rounds": battle.rounds},
        "moment": moment,
        "turning": None if turning is None else {"tick": turning[0], "told": turning[1]},
        "unpacked": reason,
    }
    facts = f'{name}, {scenario.id}, profile {scenario.profile}, seed "{scenario.seed}", battle {battle.stream}'
    return filled(
        "battle.html",
        {
            "ruleset": name,
            "label": escape(f"{' against '.join(sides)}, battle {battle.stream}"),
            "facts": escape(facts),
            "outcome": escape(outcome_of(battle)),
            "anchor": f'id="{anchor}" ' if anchor else "",
            "story": "".join(_items(battle.lines())),
            "data": island(data),
            "rows": island(battle.rows.ravel().tolist()),
            "bundle": island(None if reason else msgspec.to_builtins(bundle_of(battle))),
        },
    )


def side_names(battle: Battle) -> list[str]:
    """The names of both sides."""
    return [str(side) for side in battle.scenario.ruleset.side_names(battle.scenario.document)]


def outcome_of(battle: Battle) -> str:
    """How the battle ended, as a sentence without a full stop."""
    winner = f"{side_names(battle)[battle.winner - 1]} wins" if battle.winner else "A draw"
    rounds = f"{battle.rounds} round{'' if battle.rounds == 1 else 's'}"
    return f"{winner} after {rounds}: {battle.reason.replace('_', ' ')}"


def rules_elements(battles: Iterable[Battle]) -> str:
    """The layouts and modules that these battles need, each once, as islands of a page."""
    found: dict[str, bool] = {}
    for battle in battles:
        name = battle.scenario.ruleset.name
        found[name] = found.get(name, False) or not _why_unchecked(battle)
    parts = []
    for name, is_checked in found.items():
        module = module_text(name) if is_checked else ""
        parts.append(f'<script type="application/json" id="layout-{name}">{island(artefacts.layout(name))}</script>\n')
        parts.append(f'<script type="text/plain" id="module-{name}">{module}</script>\n')
    return "".join(parts)


def module_text(name: str) -> str:
    """A ruleset's module in base64."""
    return base64.b64encode(artefacts.module_file(name).read_bytes()).decode()


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


def _items(lines: Iterable[Line]) -> Iterable[str]:
    """Lines as items of a list; each names the event that it tells."""
    for line in lines:
        told = "".join(
            escape(text) if role == PLAIN else f'<span class="{role}">{escape(text)}</span>'
            for text, role in line.spans
        )
        yield f'<li data-event="{line.event}">{told}</li>\n' if line.event >= 0 and line.text else f"<li>{told}</li>\n"


def _why_unchecked(battle: Battle) -> str:
    """Why a page cannot play a battle again; empty if it can."""
    if battle.scenario.compiled.plugins:
        return "Not checked: this battle is played with code of its own, which a page cannot carry."
    if battle.decisions is not None:
        return "Not checked: agents decided in this battle. Check its replay with fracas verify."
    return ""
