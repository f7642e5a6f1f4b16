"""The studio's page as a part of the site, with a packed battle of each ruleset to open in it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from fracas.content.packs import examples_folder
from fracas.engine.battle import play_battle
from fracas.engine.scenario import load_scenario
from fracas.replay.bundle_file import bundle_bytes, bundle_of
from fracas.rulesets import registry
from fracas.site.examples import FIRST
from fracas.site.part_types import Card, Part, Section
from fracas.web.battle import side_names
from fracas.web.offline_studio import PAGE, offline_studio
from fracas.web.page import heading


def studio_part(rulesets: Sequence[str]) -> Part:
    """The page, and for each of these rulesets the example that its section begins with, packed.

    The page knows the numbers of the shipped rulesets only.
    """
    shipped = [name for name in registry.NAMES if name in rulesets]
    if not shipped:
        return Part({})
    files = dict(offline_studio(shipped))
    cards = []
    for name, example in FIRST.items():
        if name in shipped:
            battle = play_battle(load_scenario(examples_folder() / name / f"{example}.toml"))
            path = f"battles/{name}.fracas.json"
            files[path] = bundle_bytes(bundle_of(battle))
            told = f'<span class="name">{escape(example)}</span> <span>{escape(name)}</span>'
            cards.append(Card(f"{PAGE}#open={path}", heading(side_names(battle)), told))
    about = (
        "Change a number of a battle, and see on your own device what it is worth. "
        f'<a href="{PAGE}">All examples</a> open there with one click.'
    )
    return Part(files, [Section("studio", "Studio", about, cards)])
