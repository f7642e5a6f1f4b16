"""What drafters are worth: the builds of all against the builds of all others, from both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from fracas.content.packs import examples_folder
from fracas.engine.player import make_player
from fracas.engine.scenario import load_scenario
from fracas.envs.agents.drafters import (
    Drafter,
    GreedyDrafter,
    LookAheadDrafter,
    RandomDrafter,
    drafted,
    load_preferences,
)
from fracas.envs.agents.strength import Meeting, Strength, Tell, load_standard
from fracas.envs.drafting.match import DraftMatch
from fracas.envs.scenarios import ScenarioSource
from fracas.errors import UsageError
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.types import Document

# How often two builds fight.
BATTLES_OF_BUILDS = 10
MOST_DRAFTS = 1000


def reference_drafters(ruleset: str) -> list[Drafter]:
    """The drafters of every table, and the shipped trained one if there is one."""
    drafters: list[Drafter] = [
        RandomDrafter(),
        GreedyDrafter(),
        LookAheadDrafter(),
        LookAheadDrafter(8, "tree search", curious=True),
    ]
    trained = examples_folder() / "envs" / "policies" / f"{ruleset}.json"
    if trained.exists():
        drafters.append(load_preferences(trained, "trained"))
    return drafters


def draft_strength_table(
    ruleset: str,
    drafters: Sequence[Drafter],
    drafts: int = 20,
    scenario: ScenarioSource | None = None,
    seed: str = "strength",
    tell: Tell | None = None,
) -> Strength:
    """Let all drafters draft, and all their builds fight: build n of one against build n of the other, ten times.

    The scenario itself is a player too: what its fighters wear. In each pair half of the fights are from each side.

    Args:
        ruleset: The ruleset's name.
        drafters: Who drafts, at least 1.
        drafts: Drafts of each, 1 to 1,000 for each side.
        scenario: What is played; None is the ruleset's standard example.
        seed: The seed text of drafts and battles.
        tell: Called before each draft or pair with how many are done, how many there are, and who is at it.

    Raises:
        UsageError: no drafter, or a number of drafts outside its range.
    """
    if not drafters:
        raise UsageError.of("players", "are 0; at least 1 is needed")
    if not 1 <= drafts <= MOST_DRAFTS:
        raise UsageError.of("battles", f"is {drafts}; 1 to {MOST_DRAFTS:,} drafts are allowed")
    prepared = load_standard(ruleset, scenario)
    names = [*(drafter.name for drafter in drafters), "scenario"]
    pairs = list(combinations(names, 2))
    steps = len(drafters) * drafts * 2 + len(pairs)
    builds: dict[str, tuple[list[Document], list[Document]]] = {}
    for place, drafter in enumerate(drafters):
        found: tuple[list[Document], list[Document]] = ([], [])
        for side in (1, 2):
            match = DraftMatch([prepared], side)
            drafter.begin(f"{seed}/{drafter.name}/{side}")
            for number in range(drafts):
                if tell is not None:
                    tell((place * 2 + side - 1) * drafts + number, steps, f"{drafter.name} drafts")
                state = drafted(match, drafter, f"{seed}/{side}", number)
                found[side - 1].append(match.draft.document(state))
        builds[drafter.name] = found
    builds["scenario"] = ([prepared.document] * drafts, [prepared.document] * drafts)
    meetings = []
    for done, (one, other) in enumerate(pairs):
        if tell is not None:
            tell(steps - len(pairs) + done, steps, f"{one} against {other}")
        meetings.append(_meet(one, other, builds, seed))
    battles = 2 * drafts * BATTLES_OF_BUILDS
    table = Strength(ruleset, prepared.document["id"], seed, battles, (*names,), (*meetings,), drafts=drafts)
    best = sorted(names, key=lambda name: -table.overall(name).score)
    return replace(table, players=(*best,))


def _meet(one: str, other: str, builds: dict[str, tuple[list[Document], list[Document]]], seed: str) -> Meeting:
    wins = draws = battles = 0
    samples = []
    for way, (first, second) in enumerate(((one, other), (other, one))):
        for number, (left, right) in enumerate(zip(builds[first][0], builds[second][1], strict=True)):
            winners = _fight(left, right, f"{seed}/{way}/{number}")
            won, drawn = int((winners == 1 + way).sum()), int((winners == 0).sum())
            wins, draws, battles = wins + won, draws + drawn, battles + len(winners)
            samples.append((won + drawn / 2) / len(winners))
    return Meeting(one, other, battles, wins, draws, tuple(samples))


def _fight(left: Document, right: Document, seed: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Who won each battle of the left build in one scenario against the right build in another."""
    hooks = load_scenario(left).ruleset.analysis
    part = hooks.part(SideRef(right, 2), hooks.parts[0])
    scenario = load_scenario({**hooks.with_part(SideRef(left, 2), hooks.parts[0], part), "seed": seed})
    player = make_player(scenario, logged=False, battles=BATTLES_OF_BUILDS)
    return np.asarray(player.play(0, BATTLES_OF_BUILDS)["winner"])
