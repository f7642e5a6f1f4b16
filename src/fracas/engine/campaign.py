"""Campaigns: fight battles in order on one world, and commit results to worlds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from fracas.engine.battle import Battle, battle_of
from fracas.engine.player import Notice, make_player
from fracas.engine.scenario import LoadOptions, Scenario, find, read_source
from fracas.errors import Problem
from fracas.events.digest import digest
from fracas.events.styled_text import Line
from fracas.kernel.event_log import COLUMNS
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import CommitResult, Document, Rows, SkippedBattle


@dataclass(frozen=True)
class CampaignPlan:
    """A campaign's complete, checked input. Made by `load_campaign`."""

    ruleset: Ruleset
    document: Document
    """The resolved campaign."""
    plugins: Mapping[str, Plugin]
    warnings: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class CampaignBattle:
    """One battle of a campaign, or the reason why it was skipped."""

    battle: Battle | None
    skip: SkippedBattle | None
    taken: CommitResult | None

    @property
    def rows(self) -> Rows:
        """The event rows of the battle, then those of its commit to the world."""
        if self.skip is not None:
            return self.skip.rows
        assert self.battle is not None
        assert self.battle.rows is not None
        assert self.taken is not None
        return np.concatenate([self.battle.rows, self.taken.rows])

    def events(self, ruleset: Ruleset) -> list[Event]:
        """The events as typed records."""
        if self.battle is None:
            return ruleset.protocol.decode(self.rows, ruleset.codebooks)
        return ruleset.protocol.decode(self.rows, self.battle.scenario.compiled.books)

    def lines(self, detail: str | None) -> list[Line]:
        """The battle as lines of text, for a detail; a summary if None."""
        if self.skip is not None:
            return [*self.skip.lines]
        assert self.battle is not None
        assert self.taken is not None
        story = self.battle.lines(detail) if detail is not None else self.taken.summary
        return [*story, *self.taken.lines]


@dataclass(frozen=True)
class CampaignResult:
    """The result of a campaign."""

    plan: CampaignPlan
    stream: int
    fought: tuple[CampaignBattle, ...]
    world: Document
    world_text: str
    world_lines: tuple[Line, ...]

    @property
    def rows(self) -> Rows:
        """The event rows of all battles, in order."""
        return np.concatenate([np.zeros((0, len(COLUMNS)), np.int32), *(each.rows for each in self.fought)])

    def _listed_attacks(self) -> list[Document]:
        """The attacks as listed in the campaign."""
        document = self.plan.document
        return document["attacks"] if "attacks" in document else [document["attack"]]

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas world campaign --format json` prints."""
        plan = self.plan
        return {
            "ruleset": plan.ruleset.name,
            "rules_version": plan.ruleset.rules_version,
            "campaign": plan.document["id"],
            "seed": plan.document["seed"],
            "stream": self.stream,
            "profile": plan.document["profile"],
            "attacks": [
                {**attack, **_as_json(each, plan.ruleset)}
                for attack, each in zip(self._listed_attacks(), self.fought, strict=True)
            ],
            "digest": digest(self.rows),
            "world": self.world,
        }


def _as_json(fought: CampaignBattle, ruleset: Ruleset) -> dict[str, Any]:
    events = [event.as_json() for event in fought.events(ruleset)]
    battle = fought.battle
    if battle is None:
        return {"skipped": True, "winner": None, "reason": None, "rounds": 0, "events": events}
    assert fought.taken is not None
    moves = [list(made) for made in fought.taken.result]
    ended = {"winner": battle.winner, "reason": battle.reason, "rounds": battle.rounds, "digest": battle.digest}
    return {"skipped": False, **ended, "moves": moves, "events": events}


def load_campaign(source: str | Path | Mapping[str, Any], **options: Unpack[LoadOptions]) -> CampaignPlan:
    """Read and resolve a campaign; a scenario of a single battle is a campaign of one.

    Raises:
        InputError: everything that is wrong with it.
    """
    found = find(source, options, as_campaign=True)
    return CampaignPlan(found.ruleset, found.resolution.document, found.plugins, found.resolution.warnings)


def run_campaign(plan: CampaignPlan, stream: int = 0, *, notice: Notice | None = None) -> CampaignResult:
    """Fight a campaign's battles in order, committing each result to its world.

    Raises:
        InputError: a plug-in failed, or the world refuses a result.
        FaultError: a battle hit a limit of the engine.
    """
    ruleset = plan.ruleset
    campaign = ruleset.required(ruleset.campaign, "campaigns", "campaign").start(plan.document)
    fought: list[CampaignBattle] = []
    battles = len(plan.document.get("attacks", ["the only one"]))
    while (following := campaign.next_battle()) is not None:
        if isinstance(following, SkippedBattle):
            fought.append(CampaignBattle(None, following, None))
            continue
        scenario = Scenario(ruleset, following, ruleset.compile(following, plan.plugins))
        battle = battle_of(scenario, make_player(scenario, logged=True, battles=battles, notice=notice), stream)
        assert battle.rows is not None
        fought.append(CampaignBattle(battle, None, campaign.apply_result(battle.rows, scenario.compiled)))
    return CampaignResult(
        plan, stream, tuple(fought), campaign.world(), campaign.world_text(), tuple(campaign.world_lines())
    )


@dataclass(frozen=True)
class CommittedBattle:
    """A saved battle, and the world after its result was committed."""

    battle: Battle
    taken: CommitResult
    world: Document
    world_text: str
    world_lines: tuple[Line, ...]

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas world commit --format json` prints."""
        moves = [list(made) for made in self.taken.result]
        return {**self.battle.outcome_json(), "moves": moves, "world": self.world}


def commit_battle(
    battle: Battle,
    world: str | Path | Mapping[str, Any] | None = None,
    *,
    content: Iterable[str | Path] = (),
    plugins: Mapping[str, Plugin] | None = None,
) -> CommittedBattle:
    """Commit a battle's result to a world: from a world or scenario file, or by default the battle's own.

    Raises:
        InputError: the file is not valid; or its world is another one, has changed since, or already has the result.
    """
    scenario = battle.scenario
    ruleset, found, where = scenario.ruleset, None, "world"
    if world is not None:
        document, origin = read_source(world)
        where = origin.where
        folders = [Path(folder) for folder in content]
        campaigns = ruleset.required(ruleset.campaign, "campaigns", where)
        found = campaigns.resolve_world(document, origin, folders, plugins or {})
    campaign = ruleset.required(ruleset.campaign, "campaigns", "campaign").start(scenario.document, found)
    assert battle.rows is not None
    taken = campaign.commit(scenario.document, battle.rows, scenario.compiled, where)
    return CommittedBattle(battle, taken, campaign.world(), campaign.world_text(), tuple(campaign.world_lines()))
