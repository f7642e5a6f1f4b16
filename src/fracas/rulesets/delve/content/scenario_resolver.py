"""Resolves a delve scenario: looks up everything it refers to and fills in every default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from fracas.content.canonical import canonical_around
from fracas.content.packs import Library
from fracas.content.part_cache import made_once
from fracas.content.profiles import merged_options
from fracas.content.references import DEFAULT_SEED, Reference, to_plain
from fracas.content.scenario_reader import ScenarioReader
from fracas.content.validate import ordered_and_sound
from fracas.errors import Problem
from fracas.rulesets.contract.plugin_kinds import NO_PLUGINS, Plugins
from fracas.rulesets.contract.types import Document, ResolvedScenario, Source
from fracas.rulesets.delve.content.checks import check_library
from fracas.rulesets.delve.content.creature_resolver import resolve_creatures
from fracas.rulesets.delve.content.fights import everybody, skills_in_use
from fracas.rulesets.delve.content.library import (
    CATALOGUE,
    DEFAULT_DIFFICULTY,
    entry_mentions,
    library_for,
    unknown_names,
)
from fracas.rulesets.delve.content.models.characters import MemberEntry
from fracas.rulesets.delve.content.models.items import Difficulty
from fracas.rulesets.delve.content.models.quests import Quest
from fracas.rulesets.delve.content.models.scenario import OWN_CONTENT, Resolved, Scenario
from fracas.rulesets.delve.content.party_resolver import resolve_members
from fracas.rulesets.delve.content.quest_resolver import by_id, loot_content, resolve_quest
from fracas.rulesets.delve.content.resolver import Resolver
from fracas.rulesets.delve.content.trained_policies import POLICIES
from fracas.rulesets.delve.rules.constants import RARITIES
from fracas.rulesets.shared.checked_scenario import checked_addition
from fracas.rulesets.shared.resolution import Resolution


class ScenarioResolver(Resolver):
    """Resolves one scenario and collects every problem on the way."""

    def __init__(
        self,
        scenario: Scenario,
        source: Source,
        library: Library,
        problems: Sequence[Problem] = (),
        plugins: Plugins = NO_PLUGINS,
    ) -> None:
        super().__init__(source.where, library, scenario, problems)
        self.scenario = scenario
        self.source = source
        self.library = library

    def resolve(self) -> ResolvedScenario:
        """The resolved document.

        Raises:
            InputError: every problem found.
        """
        scenario = self.scenario
        options = self.options()
        difficulty = self.difficulty()
        party = self.party()
        opposition = self.opposition()
        rarities = self.rarities()
        policies = POLICIES.resolve(self, scenario.policies, self.source)
        self.check_own_content()
        self.raise_problems()
        document = {
            **CATALOGUE.head_of(scenario, self.source),
            "seed": self.seed(),
            "difficulty": difficulty,
            "options": options,
            **policies,
            "party": party,
            **opposition,
            "skills": {},
            **rarities,
        }
        # What the battle uses shows only in the valid whole.
        ordered, sound = ordered_and_sound(Resolved, document, self.source.where, self.ready)
        content = self.content(sound)
        self.raise_problems()
        ordered |= canonical_around(content, self.ready)
        return checked_addition(sound, ordered, content, self.source.where, dict.fromkeys(self.warnings))

    def seed(self) -> str:
        """The seed text: its own, the run's, or its name."""
        scenario = self.scenario
        run = f"{scenario.run_id}{scenario.started_at}" if scenario.run_id is not None else None
        return scenario.seed or run or scenario.id or DEFAULT_SEED

    def options(self) -> dict[str, Any]:
        """Every rule option: the profile's base profiles first, then the profile, then the scenario."""
        scenario = self.scenario
        given, problems = CATALOGUE.options_for(self.library, scenario.profile, scenario.options, self.where("profile"))
        self.problems += problems
        above = {} if scenario.flee_below is None else {"flee_below": scenario.flee_below}
        return merged_options(given) | above

    def difficulty(self) -> Document:
        """The difficulty: named, or written out."""
        chosen = self.scenario.difficulty
        if isinstance(chosen, Difficulty):
            return to_plain(chosen)
        with self.collecting():
            return to_plain(self.find("difficulties", chosen or DEFAULT_DIFFICULTY, "difficulty"))
        return {}

    def party(self) -> list[Document]:
        """The members: of a party of the content, or written here."""
        chosen = self.scenario.party
        entries: Sequence[str | MemberEntry] = []
        if isinstance(chosen, str):
            with self.collecting():
                entries = self.find("parties", chosen, "party").members
        else:
            entries = chosen
        return resolve_members(self, "party", entries, content=isinstance(chosen, str))

    def opposition(self) -> Document:
        """The enemies of an encounter, or the quest of a run."""
        if self.scenario.enemies is not None:
            return {"enemies": resolve_creatures(self, "enemies", self.scenario.enemies, content=False)}
        chosen = self.scenario.quest
        quest = chosen if isinstance(chosen, Quest) else None
        with self.collecting():
            quest = quest or self.find("quests", str(chosen), "quest")
        if quest is None:
            return {}
        return {"quest": resolve_quest(self, "quest.", quest, content=isinstance(chosen, str))}

    def rarities(self) -> Document:
        """The rarities of a run; none for a lone encounter, which has no loot."""
        if self.scenario.quest is None:
            return {}
        known = self.of("rarities")
        missing = [name for name in RARITIES if name not in known]
        if missing:
            self.complain("rarities", f"these are not defined: {', '.join(missing)}")
        return {"rarities": by_id(self, {name: known[name] for name in RARITIES if name in known})}

    def check_own_content(self) -> None:
        """Check the references of the scenario's own content, used or not."""
        for kind in OWN_CONTENT:
            for key, entry in getattr(self.scenario, kind).items():
                for found in _mentions(kind, entry):
                    with self.collecting():
                        self.find(found.kind, found.name, f"{kind}.{key}.{found.path}")

    def content(self, resolved: Resolved) -> Document:
        """The content that the battle uses, by id."""
        skills = {name: self.of("skills")[name] for name in skills_in_use(everybody(resolved))}
        kinds = [each.resource.kind for each in everybody(resolved) if each.resource is not None]
        kinds += [skill.resource for skill in skills.values() if skill.resource is not None]
        resources = {name: self.of("resources")[name] for name in dict.fromkeys(kinds)}
        content = {"skills": by_id(self, skills), "resources": by_id(self, resources)}
        if resolved.quest is not None:
            content |= loot_content(self, resolved.quest, resolved.difficulty)
        return content


def _mentions(kind: str, entry: BaseModel) -> tuple[Reference, ...]:
    """The names that an entry of the scenario's own content refers to."""
    return made_once(entry, "mentions", lambda: tuple(entry_mentions(kind, entry.model_dump())))


# The members, encounters and entries of content below the third level are known parts.
_RESOLUTION = Resolution(
    ScenarioReader(Scenario, library_for, check_library, unknown_names, levels=3), ScenarioResolver
)
resolve, resolver_for = _RESOLUTION.resolve, _RESOLUTION.resolver_for
