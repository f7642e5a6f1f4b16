"""Lints delve scenarios, content files and queue files; every finding names its rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fracas.content.profiles import merged_options, profile_chain
from fracas.content.validate import validate
from fracas.rulesets.contract.plugin_kinds import NO_PLUGINS, Plugins
from fracas.rulesets.contract.types import Document, Finding, Source
from fracas.rulesets.delve.content.checks import queue_resource
from fracas.rulesets.delve.content.compile import compile_battle
from fracas.rulesets.delve.content.fights import Fight, fights, skills_in_use
from fracas.rulesets.delve.content.library import DEFAULT_PROFILE, library_for
from fracas.rulesets.delve.content.lint.content import (
    creature_findings,
    member_findings,
    quest_findings,
    ranges_for,
    stun_findings,
)
from fracas.rulesets.delve.content.lint.expected_damage import expected_damage, expected_healing
from fracas.rulesets.delve.content.lint.queues import FactRanges, inflicted, queue_findings
from fracas.rulesets.delve.content.models.characters import CreatureEntry, MemberEntry
from fracas.rulesets.delve.content.models.quests import Quest, Rest
from fracas.rulesets.delve.content.models.scenario import OWN_CONTENT, QueueFile, Resolved
from fracas.rulesets.delve.content.resolver import Payer, Resolver
from fracas.rulesets.delve.content.scenario_resolver import ScenarioResolver, resolver_for
from fracas.rulesets.delve.rules.constants import SURVIVED
from fracas.rulesets.delve.rules.entry_points import play_many
from fracas.rulesets.delve.rules.state import result_t
from fracas.rulesets.shared.duplicate_names import own_same_names
from fracas.rulesets.shared.trial_battles import all_end_with

# The most battles to try for an end before the cap, and the most rounds of all of them together.
MOST_TRIES, MOST_ROUNDS = 10, 2000
RUN_KEYS = ("quest", "loot_tables", "items", "bonuses", "rarities")


def lint_scenario(
    document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
) -> list[Finding]:
    """Lint a scenario; queues of the content are linted with the content.

    Raises:
        InputError: the scenario is not valid.
    """
    resolver = resolver_for(document, source, folders)
    plain = resolver.resolve().document
    resolved = validate(Resolved, plain, source.where)
    linter = _Linter(resolver, resolved)
    findings = [*linter.options(), *linter.unused(), *linter.party(), *linter.opposition()]
    own = {
        kind: getattr(resolver.scenario, kind) for kind in ("skills", "items", "bonuses", "loot_tables", "resources")
    }
    findings += own_same_names(own, resolver.library, source.where)
    for skill in resolver.scenario.skills.values():
        findings += stun_findings(skill, resolver.where(f"skills.{skill.id}"))
    findings += (replace(each, where=resolver.where(each.where)) for each in _fight_findings(plain, resolved))
    return findings


def lint_strategy_file(document: Document, source: Source, folders: Sequence[Path]) -> list[Finding]:
    """Lint a valid queue file."""
    resolver = Resolver(source.where, library_for(None, folders))
    file = validate(QueueFile, document, source.where)
    payer = queue_resource(resolver, file)
    where = resolver.where("queue")
    return list(queue_findings(file.queue, where, resolver.of("skills"), payer, ranges_for(payer)))


class _Linter:
    """One scenario, as it was written and as it was resolved."""

    def __init__(self, resolver: ScenarioResolver, resolved: Resolved) -> None:
        self.resolver = resolver
        self.scenario = resolver.scenario
        self.resolved = resolved
        self.fights = list(fights(resolved))
        enemies = [enemy for fight in self.fights for enemy in fight.enemies]
        ours, theirs = ([resolved.skills[name] for name in skills_in_use(side)] for side in (resolved.party, enemies))
        self.on_party = inflicted(ours, on_enemies=False) | inflicted(theirs, on_enemies=True)
        self.on_enemies = inflicted(theirs, on_enemies=False) | inflicted(ours, on_enemies=True)
        self.has_boss = any(enemy.boss for enemy in enemies)
        encounters = resolved.quest.encounters if resolved.quest is not None else []
        self.has_rest = any(isinstance(each, Rest) for each in encounters)

    def options(self) -> Iterator[Finding]:
        """Rule options without effect."""
        scenario = self.scenario
        line = profile_chain(self.resolver.library, scenario.profile or DEFAULT_PROFILE, "profile")
        usual = merged_options(entry.options for entry in line)
        if scenario.quest is None and scenario.options.survived_share not in (None, usual["survived_share"]):
            where = self.resolver.where("options.survived_share")
            yield Finding("option-without-effect", where, "a lone encounter never pays anything")
        if scenario.flee_below is not None and scenario.options.flee_below is not None:
            where = self.resolver.where("options.flee_below")
            yield Finding("option-without-effect", where, "flee_below at the top of the scenario overrides it")

    def unused(self) -> Iterator[Finding]:
        """The scenario's own content that its battle cannot use."""
        worn = list(self._worn())
        used = {kind: set(getattr(self.resolved, kind)) for kind in OWN_CONTENT}
        used["items"] |= {name for name, _ in worn}
        used["bonuses"] |= {bonus for _, bonuses in worn for bonus in bonuses}
        for kind in OWN_CONTENT:
            for name in getattr(self.scenario, kind):
                if name not in used[kind]:
                    where = self.resolver.where(f"{kind}.{name}")
                    yield Finding("unused-content", where, "nothing in this scenario uses it")

    def _worn(self) -> Iterator[tuple[str, list[str]]]:
        """The templates and bonuses of all items that members wear."""
        scenario, known = self.scenario, self.resolver
        party = scenario.party
        for entry in known.of("parties")[party].members if isinstance(party, str) else party:
            member = MemberEntry(template=entry) if isinstance(entry, str) else entry
            hero = known.of("heroes").get(member.template or "")
            for item in member.items if member.items is not None else hero.items if hero is not None else []:
                yield (item, []) if isinstance(item, str) else (item.template, [each.bonus for each in item.bonuses])

    def party(self) -> Iterator[Finding]:
        """Lint the members written in this scenario."""
        if isinstance(self.scenario.party, str):
            return
        base = FactRanges(
            allies=len(self.resolved.party),
            enemies=max(len(fight.enemies) for fight in self.fights) if self.fights else 1,
            round_cap=self.resolved.options.round_cap,
            on_allies=self.on_party,
            on_enemies=self.on_enemies,
            boss=None if self.has_boss else False,
        )
        for index, entry in enumerate(self.scenario.party):
            if isinstance(entry, MemberEntry):
                payer = _payer(self.resolved.party[index].resource)
                ranges = replace(base, most_resource=payer["max"] if payer else 0)
                where = self.resolver.where(f"party.{index}")
                yield from member_findings(self.resolver, entry, where, payer, ranges, rests=self.has_rest)

    def opposition(self) -> Iterator[Finding]:
        """Lint the enemies or the quest written in this scenario."""
        if isinstance(self.scenario.quest, Quest):
            yield from quest_findings(self.resolver, self.scenario.quest, self.resolver.where("quest"))
        for index, entry in enumerate(self.scenario.enemies or []):
            if isinstance(entry, CreatureEntry):
                enemy = self.resolved.enemies[index] if self.resolved.enemies else None
                payer = _payer(enemy.resource if enemy is not None else None)
                ranges = FactRanges(
                    allies=len(self.resolved.enemies or []),
                    enemies=len(self.resolved.party),
                    round_cap=self.resolved.options.round_cap,
                    most_resource=payer["max"] if payer else 0,
                    on_allies=self.on_enemies,
                    on_enemies=self.on_party,
                    boss=True if enemy is not None and enemy.boss else None if self.has_boss else False,
                )
                yield from creature_findings(
                    self.resolver, entry, self.resolver.where(f"enemies.{index}"), payer, ranges
                )


def _payer(resource: Any) -> Payer:
    return None if resource is None else {**resource.model_dump(), "start": resource.start or 0}


# Fights.


def _fight_findings(document: Document, resolved: Resolved) -> Iterator[Finding]:
    """Fights that cannot be won or cannot end; of several equal ones only the first."""
    seen: set[str] = set()
    every = list(fights(resolved))
    for fight in every:
        alike = "".join(enemy.model_dump_json(exclude={"id", "name"}) for enemy in fight.enemies)
        if alike not in seen:
            seen.add(alike)
            yield from _outhealed(fight, resolved)
            yield from _cannot_end(document, fight, resolved, len(every))


def _outhealed(fight: Fight, resolved: Resolved) -> Iterator[Finding]:
    damage = expected_damage(resolved.party, fight.enemies, resolved)
    healing = expected_healing(fight.enemies, resolved)
    if damage < healing:
        message = f"the party can deal about {damage:.1f} a round, and these enemies can heal about {healing:.1f}"
        hint = "raise the party's damage, or make the healing weaker, rarer or costlier"
        yield Finding("outhealed", fight.path, message, hint)


def _cannot_end(document: Document, fight: Fight, resolved: Resolved, count: int) -> Iterator[Finding]:
    """A fight that always reaches the round cap: play some of its battles until one ends sooner."""
    cap = resolved.options.round_cap
    tries = max(1, min(MOST_TRIES, MOST_ROUNDS // (cap * count)))
    alone = {key: value for key, value in document.items() if key not in RUN_KEYS}
    alone["enemies"] = [enemy.model_dump(mode="json", exclude_none=True) for enemy in fight.enemies]
    if not all_end_with((SURVIVED,), compile_battle(alone, {}), play_many, result_t, tries):
        return
    played = f"the battles 0 to {tries - 1}" if tries > 1 else "a battle that was tried"
    message = f"{played} end{'' if tries > 1 else 's'} with both sides alive"
    yield Finding("cannot-end", fight.path, message, "raise damage, lower healing, or lower armor and resistance")
