"""A battle as one HTML file that shows it: opened from disk it needs neither a server nor a network.

The events are in the file, and the outcome is text, so that a browser without scripts shows it. The rules are in it,
too, as WebAssembly: the page plays the battle again and compares. A strict policy names the hashes of
the one script and the one style; nothing else runs, and nothing is loaded.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from types import MappingProxyType

from fracas.engine.battle import Battle
from fracas.web.battle import STYLES, battle_element, battle_script, filled, rules_elements, side_names, style_of


def page_of(
    battle: Battle, links: Mapping[str, str] = MappingProxyType({}), note: str = "", people: Sequence[str] = ()
) -> str:
    """The page of a battle that was played with a log.

    Args:
        battle: The battle.
        links: Where the page leads to, above its heading: address by text. A page on disk leads nowhere.
        note: A sentence below the heading that nobody checks; it says whose it is.
        people: Whose the sides are; the page calls them by both names.

    Raises:
        InputError: the rules' module is older than the rules.
    """
    element = battle_element(battle, anchor="story", people=people)
    script = battle_script([battle.scenario.ruleset.name])
    style = style_of(*STYLES, "page.css")
    sides = side_names(battle, people)
    parts = {
        "policy": policy(script, style),
        "title": escape(title_of(battle, people)),
        "heading": heading(sides),
        "style": f"<style>{style}</style>",
        "navigation": _navigation(links),
        "note": note_element(note),
        "battle": element,
        "rules": rules_elements([battle]),
        "script": f'<script type="module">{script}</script>',
    }
    return filled("page.html", parts)


def _navigation(links: Mapping[str, str]) -> str:
    found = [f'<a href="{escape(address)}">{escape(text)}</a>' for text, address in links.items()]
    return f'<nav aria-label="Where this belongs">{" ".join(found)}</nav>' if found else ""


def note_element(note: str) -> str:
    """A sentence that is not about the battle, and so is not checked."""
    return f'<p class="note">{escape(note)}</p>' if note else ""


def title_of(battle: Battle, people: Sequence[str] = ()) -> str:
    """What a page about a battle is called."""
    return f"{' against '.join(side_names(battle, people))}: {battle.scenario.id}"


def heading(sides: list[str]) -> str:
    """The names of both sides in their colours, as HTML."""
    return " against ".join(f'<span class="side{place}">{escape(side)}</span>' for place, side in enumerate(sides, 1))


def policy(script: str, style: str) -> str:
    """What the page may do: run its script and style, compile WebAssembly, start workers of its text, paint itself."""
    return (
        f"default-src 'none'; script-src {hash_source(script)} 'wasm-unsafe-eval'; style-src {hash_source(style)}; "
        "worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'"
    )


def hash_source(text: str) -> str:
    """A script or style as a policy names it."""
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"
