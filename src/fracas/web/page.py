"""A battle as one HTML file that shows it: opened from disk it needs neither a server nor a network.

The events are in the file, and the outcome and the story are text, so that a browser without scripts shows them. The
rules are in it too, as WebAssembly: the page plays the battle again and compares. A strict policy names the hashes of
the one script and the one style; nothing else runs, and nothing is loaded.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from typing import Any

import msgspec

from fracas.engine.battle import Battle
from fracas.events.styled_text import PLAIN, Line
from fracas.portable import artefacts
from fracas.replay.bundle_file import bundle_of
from fracas.web.cast import cast_of
from fracas.web.modules import FOLDER, joined


def page_of(battle: Battle) -> str:
    """The page of a battle that was played with a log.

    Raises:
        InputError: the rules' module is older than the rules.
    """
    scenario = battle.scenario
    name = scenario.ruleset.name
    sides = [str(side) for side in scenario.ruleset.side_names(scenario.document)]
    outcome = _outcome(battle, sides)
    script = f"{joined('page.js', f'rulesets/{name}.js')}\nopenPage({{ table, changes, buildStage }});\n"
    style = (FOLDER / "page.css").read_text(encoding="utf-8")
    # Battles with code of their own are shown, but no other machine can play them.
    reason = _why_unchecked(battle)
    bundle = None if reason else msgspec.to_builtins(bundle_of(battle))
    assert battle.rows is not None, "the battle was played without a log"
    data = {
        "ruleset": name,
        "sides": sides,
        "cast": cast_of(scenario),
        "books": {book: list(names) for book, names in scenario.compiled.books.items()},
        "ticks": {str(tick): battle.place(tick) for tick in battle.tick_digests},
        "outcome": {"winner": battle.winner, "reason": battle.reason, "rounds": battle.rounds},
        "unpacked": reason,
    }
    described = artefacts.layout(name)
    parts = {
        "policy": _policy(script, style),
        "title": escape(f"{' against '.join(sides)}: {scenario.id}"),
        "heading": " against ".join(
            f'<span class="side{place}">{escape(side)}</span>' for place, side in enumerate(sides, 1)
        ),
        "facts": escape(
            f'{name}, {scenario.id}, profile {scenario.profile}, seed "{scenario.seed}", battle {battle.stream}'
        ),
        "outcome": escape(outcome),
        "story": "".join(_items(battle.lines())),
        "style": style,
        "script": script,
        "data": _island(data),
        "rows": _island(battle.rows.ravel().tolist()),
        "bundle": _island(bundle),
        "layout": _island(described),
        "module": "" if bundle is None else base64.b64encode(artefacts.module_file(name).read_bytes()).decode(),
    }
    pieces = (FOLDER / "page.html").read_text(encoding="utf-8").split("@@")
    # Places and what stands between them take turns; nothing that is filled in is looked through again.
    return "".join(parts[piece] if place % 2 else piece for place, piece in enumerate(pieces))


def _policy(script: str, style: str) -> str:
    """What the page may do: run its own script and style, compile WebAssembly, start workers of its own text."""
    code, look = (base64.b64encode(sha256(text.encode()).digest()).decode() for text in (script, style))
    return (
        f"default-src 'none'; script-src 'sha256-{code}' 'wasm-unsafe-eval'; style-src 'sha256-{look}'; "
        "worker-src blob:; base-uri 'none'; form-action 'none'"
    )


def _outcome(battle: Battle, sides: list[str]) -> str:
    winner = f"{sides[battle.winner - 1]} wins" if battle.winner else "A draw"
    rounds = f"{battle.rounds} round{'' if battle.rounds == 1 else 's'}"
    return f"{winner} after {rounds}: {battle.reason.replace('_', ' ')}"


def _items(lines: Iterable[Line]) -> Iterable[str]:
    """Lines as items of a list; each names the event that it tells."""
    for line in lines:
        spans = "".join(
            escape(text) if role == PLAIN else f'<span class="{role}">{escape(text)}</span>'
            for text, role in line.spans
        )
        yield (
            f'<li data-event="{line.event}">{spans}</li>\n' if line.event >= 0 and line.text else f"<li>{spans}</li>\n"
        )


def _island(value: Any) -> str:
    """JSON that ends no script element, whatever its texts say."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _why_unchecked(battle: Battle) -> str:
    """Why a page cannot play a battle again; empty if it can."""
    if battle.scenario.compiled.plugins:
        return "Not checked: this battle is played with code of its own, which a page cannot carry."
    if battle.decisions is not None:
        return "Not checked: agents decided in this battle. Check its replay with fracas verify."
    return ""
