"""Resolve titans scenarios, collecting every problem.

Resolving is idempotent: a resolved document is a valid scenario that resolves to itself. So `--set` can change
any value by path and resolve again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fracas.conditions import And, Comparison, Named, Not, Or, Status, Tree, Versus, parse
from fracas.conditions.range_analysis import SHARE_SCALE, Bounds, constant_value, declared_values
from fracas.content.packs import unknown_name
from fracas.content.profiles import merged_options
from fracas.content.references import to_plain
from fracas.content.scenario_reader import ScenarioResolver
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed, nearest, quoted, visible
from fracas.files.read import read_named_document
from fracas.rulesets.contract.types import Document, ResolvedScenario
from fracas.rulesets.shared.checked_scenario import checked_scenario
from fracas.rulesets.titans.content import trained_policies
from fracas.rulesets.titans.content.ability_models import (
    BUILT_IN,
    Ability,
    GeneratedTitan,
    NamedPolicy,
    Policy,
    Rule,
    TitanEntry,
)
from fracas.rulesets.titans.content.generated_titans import generated_titan
from fracas.rulesets.titans.content.library import CATALOGUE, FILE_ENDINGS
from fracas.rulesets.titans.content.models import Player, Resolved, ResolvedOptions, Scenario
from fracas.rulesets.titans.content.vocabulary import VOCABULARY
from fracas.rulesets.titans.rules.constants import STATS

EQUILIBRIUM = "equilibrium"
BASIC = ("attack", "defend", "rest")
ANY_ABILITY = "ability"
MISSED = "missed"


class Resolver(ScenarioResolver[Scenario]):
    """Resolves one scenario, collecting every problem."""

    catalogue = CATALOGUE
    options: ResolvedOptions | None = None

    @cached_property
    def abilities(self) -> dict[str, Ability]:
        """The content's abilities and the scenario's own, by id."""
        return {**self.library.of("abilities"), **self.scenario.abilities}

    def resolve(self) -> ResolvedScenario:
        """The resolved document.

        Raises:
            InputError: every problem found.
        """
        scenario = self.scenario
        self.options = self.resolved_options()
        players = [self.player(index, player) for index, player in enumerate(scenario.players)]
        self.refuse_namesakes(players)
        self.raise_problems()
        document = {
            **CATALOGUE.head_of(scenario, self.source),
            "options": to_plain(self.options) if self.options else {},
            "players": players,
            "abilities": {name: to_plain(self.abilities[name]) for name in used_abilities(players)},
        }
        self.solve(document)
        return checked_scenario(Resolved, document, self.source.where, self.warnings)

    def resolved_options(self) -> ResolvedOptions | None:
        """Every rule option: those of the profile and its bases, overridden by the scenario's own."""
        before = len(self.problems)
        given = self.given_options()
        if len(self.problems) > before:
            return None
        with self.collecting():
            return validate(ResolvedOptions, merged_options(given), self.where("options"))
        return None

    def player(self, index: int, player: Player) -> Document:
        """Resolve a player: its titan and its policy."""
        path = f"players.{index}"
        titan: TitanEntry | None = None
        policy: str | Document = {"choices": []}
        with self.collecting():
            titan = self.titan(f"{path}.titan", index, player)
        with self.collecting():
            policy = self.policy(f"{path}.policy", player, titan)
        return {
            "name": player.name or f"Player {index + 1}",
            "titan": {} if titan is None else to_plain(titan, without=("id", "archetype")),
            "policy": policy,
        }

    def solve(self, document: Document) -> None:
        """Replace the policy "equilibrium" by its table, solved for this pair of titans."""
        wanted = [place for place, player in enumerate(document["players"]) if player["policy"] == EQUILIBRIUM]
        if not wanted:
            return
        from fracas.rulesets.titans.content.equilibrium_tables import equilibrium

        tables = {place: equilibrium(document, place) for place in wanted}
        for place, (policy, error) in tables.items():
            document["players"][place]["policy"] = policy
            known = "an unknown value error" if error is None else f"a value error of about {error:.1%}"
            message = f"is solved on a coarse grid, with {known}"
            hint = "fracas lab solve FILE --out solved.json writes a finer table; name it as the policy"
            self.warnings.append(Problem(self.where(f"players.{place}.policy"), message, hint))

    def refuse_namesakes(self, players: Sequence[Document]) -> None:
        """Report two players of the same name."""
        if players[0]["name"] == players[1]["name"]:
            name = quoted(players[0]["name"])
            self.complain("players.1.name", f"both players are named {name}", "give one of them another name")

    def titan(self, path: str, index: int, player: Player) -> TitanEntry | None:
        """A player's titan.

        Raises:
            InputError: an unknown titan, or a titan with an unknown ability.
        """
        chosen = self.entry("titans", player.titan, path, "titan")
        if isinstance(chosen, GeneratedTitan):
            if self.options is None:
                return None
            made = generated_titan(chosen.generate, index, self.options)
            chosen = validate(TitanEntry, made, self.where(path))
        assert isinstance(chosen, TitanEntry)
        unknown = [
            unknown_name(self.where(f"{path}.abilities.{number}"), "ability", name, self.abilities)
            for number, name in enumerate(chosen.abilities)
            if name not in self.abilities
        ]
        if unknown:
            raise InputError(unknown)
        return chosen

    def policy(self, path: str, player: Player, titan: TitanEntry | None) -> str | Document:
        """A player's policy: a word, or rules, a table or choices.

        Raises:
            InputError: an unknown policy, or one that this titan cannot follow.
        """
        chosen = player.policy
        if chosen is None:
            message = "has no policy, so it attacks in every round unless a person plays it"
            self.warnings.append(Problem(self.where(path), message))
            return {"choices": []}
        if isinstance(chosen, str):
            return self.policy_by_name(path, chosen, titan)
        if isinstance(chosen, list):
            return {"rules": self.rules(path, chosen, titan, is_own=True)}
        return self.own_policy(path, chosen, titan)

    def policy_by_name(self, path: str, name: str, titan: TitanEntry | None) -> str | Document:
        """A policy by name: built in, from the content, or a file beside the scenario."""
        if name in BUILT_IN:
            return name
        if name.endswith(FILE_ENDINGS):
            file = self.named_file(path, name, self.source.folder)
            return self.own_policy(path, validate(Policy, read_named_document(file), str(file)), titan)
        known = [*BUILT_IN, *self.library.of("policies")]
        if name not in known:
            raise InputError(unknown_name(self.where(path), "policy", name, known))
        found: NamedPolicy = self.library.of("policies")[name]
        return {"rules": self.rules(path, found.rules, titan, is_own=False)}

    def own_policy(self, path: str, policy: Policy, titan: TitanEntry | None) -> Document:
        """A policy given as a table."""
        if policy.rules is not None:
            return {"rules": self.rules(f"{path}.rules", policy.rules, titan, is_own=True)}
        if policy.network is not None:
            trained_policies.check(policy.network, where=self.where(f"{path}.network"))
            return to_plain(policy)
        named = policy.solved.choices if policy.solved else policy.choices or []
        extra = () if policy.solved else (MISSED,)
        below = "solved.choices" if policy.solved else "choices"
        for index, name in enumerate(named):
            self.refuse_strangers(f"{path}.{below}.{index}", name, titan, extra)
        return to_plain(policy)

    def refuse_strangers(self, path: str, name: str, titan: TitanEntry | None, extra: Sequence[str] = ()) -> None:
        """Report a choice that the titan cannot make."""
        if name in (*BASIC, *extra) or titan is None or name in titan.abilities:
            return
        known = [*BASIC, *extra, *titan.abilities]
        if name in self.abilities:
            hint = f"it has {listed([quoted(own) for own in titan.abilities], 'and')}"
            self.complain(path, f"{visible(titan.name)} does not have the ability {quoted(name)}", hint)
        else:
            hint = nearest(name, [*known, *self.abilities]) or f"it can choose {listed(known)}"
            self.complain(path, f"there is no action or ability {quoted(name)}", hint, expected=known)

    def rules(self, path: str, rules: Sequence[Rule], titan: TitanEntry | None, *, is_own: bool) -> list[Document]:
        """The rules of a policy, of which at least one must be able to fire.

        A content policy may name abilities that this titan lacks; a player's own policy may not.
        """
        before = len(self.problems)
        resolved, can_fire = [], False
        for index, rule in enumerate(rules):
            with self.collecting():
                tree = self.condition(f"{path}.{index}.when" if is_own else path, rule, is_own)
                if is_own:
                    self.refuse_strangers(f"{path}.{index}.do", rule.do, titan, (ANY_ABILITY,))
                if titan is None or rule.do in (*BASIC, ANY_ABILITY, *titan.abilities):
                    can_fire |= self.can_hold(tree)
                    resolved.append(_written(rule, tree))
        if not can_fire and len(self.problems) == before and titan is not None:
            message = "no rule of this policy can ever apply"
            self.complain(path, message, 'end with a rule that always applies: { do = "attack" }')
        return resolved

    def condition(self, path: str, rule: Rule, is_own: bool) -> Tree | None:
        """A rule's condition; it may only use facts that its player sees."""
        parsed = parse(rule.when, VOCABULARY, where=self.where(path), content=not is_own)
        self.warnings += parsed.warnings
        if self.options is not None and not self.options.stats_public:
            for fact in facts_of(parsed.tree):
                if fact in HIDDEN_FACTS:
                    self.complain(path, f"{quoted(fact)} is hidden from players", "set the option stats_public = true")
        return parsed.tree

    def can_hold(self, tree: Tree | None) -> bool:
        """Whether a condition can be true in some round."""
        cap = self.options.round_cap if self.options else 1
        sudden_death = self.options.sudden_death if self.options else 0
        return tree is None or constant_value(tree, FactBounds(cap, sudden_death)) is not False


HIDDEN_FACTS = tuple(f"enemy.{stat}" for stat in STATS)


@dataclass(frozen=True)
class FactBounds(Bounds):
    """The ranges of facts in a policy's conditions."""

    round_cap: int
    sudden_death: int

    def values(self, fact: str) -> range:
        """The values that a fact can have when a player chooses; both titans have HP then."""
        if fact.endswith("hp_pct"):
            return range(1, 100 * SHARE_SCALE + 1)
        if fact == "round":
            return range(1, self.round_cap + 1)
        values = declared_values(VOCABULARY, fact)
        return values[1:] if fact.endswith(".hp") else values

    def size(self, group: str) -> int:
        """There are no groups."""
        return 1

    def flag(self, subject: str, status: str) -> bool | None:
        """The values of a flag; sudden death may never come."""
        never = self.sudden_death == 0 or self.sudden_death > self.round_cap
        return False if not subject and status == "sudden_death" and never else None


def facts_of(tree: Tree | None) -> Iterator[str]:
    """Every fact that a condition mentions."""
    match tree:
        case Comparison():
            yield tree.fact
        case Versus(fact, _, other):
            yield from (fact, other)
        case Status(subject, status):
            yield f"{subject}.{status}" if subject else status
        case Not(part) | Named(_, part):
            yield from facts_of(part)
        case And(parts) | Or(parts):
            for each in parts:
                yield from facts_of(each)


def used_abilities(players: Sequence[Document]) -> list[str]:
    """Every ability of both titans, sorted by id as in the record."""
    return sorted({name for player in players for name in player["titan"].get("abilities", ())})


def _written(rule: Rule, tree: Tree | None) -> Document:
    values: dict[str, Any] = to_plain(rule)
    if tree is None:
        values.pop("when", None)
    return values
