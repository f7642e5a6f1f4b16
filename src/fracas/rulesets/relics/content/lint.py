"""Lint relics scenarios and content: find what is valid but probably a mistake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fracas.content.packs import Library, plain_entry
from fracas.content.references import to_plain
from fracas.content.validate import validate
from fracas.rulesets.contract.plugin_kinds import NO_PLUGINS, Plugins
from fracas.rulesets.contract.types import Document, Finding, Source
from fracas.rulesets.relics.content.compile import compile_battle
from fracas.rulesets.relics.content.lint_effects import body_findings, cannot_attack, gear_findings, given_by
from fracas.rulesets.relics.content.models.effects import Op
from fracas.rulesets.relics.content.models.fighters import BuildFile, Fighter, ResolvedFighter, Worn
from fracas.rulesets.relics.content.models.items import Body, Gear, split_id
from fracas.rulesets.relics.content.models.scenario import Resolved, Scenario
from fracas.rulesets.relics.content.own_statuses import parts_of
from fracas.rulesets.relics.content.places import SIDES, pieces_of, worn_pieces
from fracas.rulesets.relics.content.scenario_resolver import resolver_for
from fracas.rulesets.relics.content.vocabulary import own_statuses_in
from fracas.rulesets.relics.rules.entry_points import play_many
from fracas.rulesets.relics.rules.state import result_t
from fracas.rulesets.shared.duplicate_names import own_same_names, same_names

CONTENT = ("items", "sets", "statuses", "enemies", "bosses")
# How many battles to try for one that ends before fatigue, if dice decide.
MOST_TRIES = 5
# Options that matter to only one op or trigger.
NEEDED_OPS = {
    "corroded_bone_receiver": "enemy_hp_to_enemy_armor_pct",
    "onhit_damage_route": "onhit_extra_damage",
    "hp_minus_route": "enemy_hp_minus",
}
NEEDED_TRIGGERS = {"cadence_parity": "every_other_turn", "allow_pre_phase": "pre"}


def lint_scenario(
    document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
) -> list[Finding]:
    """Findings in a scenario.

    Raises:
        InputError: the scenario is not valid.
    """
    resolver = resolver_for(document, source, folders)
    plain = resolver.resolve().document
    resolved = validate(Resolved, plain, source.where)
    lead = f"{source.where}: "
    known = {"owner_gets_bone": resolved.options.corroded_bone_receiver == "owner"}
    findings = [
        *_own_findings(resolver.scenario, resolved, lead, known),
        *_option_findings(resolver.scenario, resolved, lead),
    ]
    scenario = resolver.scenario
    own: dict[str, Mapping[str, Any]] = {"items": scenario.items, "statuses": scenario.statuses}
    findings += own_same_names(own, resolver.library, source.where)
    for side in SIDES:
        written: Fighter = getattr(resolver.scenario, side)
        findings += _build_findings(getattr(resolved, side), f"{lead}{side}")
        if written.enemy is None and written.boss is None and written.code is None:
            findings += _written_findings(written, f"{lead}{side}", known)
    return [*findings, *_battle_findings(plain, resolved, source.where)]


def lint_strategy_file(document: Document, source: Source, folders: Sequence[Path]) -> list[Finding]:
    """Findings in a valid build file."""
    build = validate(BuildFile, document, source.where)
    findings = list(_written_findings(build, f"{source.where}: build", {}))
    if not worn_pieces(build):
        findings.append(Finding("empty-build", source.where, "it wears nothing"))
    return findings


def lint_library(library: Library, origin: str | None = None) -> list[Finding]:
    """Findings in content, or in one of its files."""
    findings = [*_entry_findings(library), *_set_findings(library), *_retrigger_findings(library)]
    findings += _status_findings(library)
    findings += same_names(library, origin)
    return [each for each in findings if origin is None or each.where.startswith(f"{origin}: ")]


# Content.


def _entry_findings(library: Library) -> Iterator[Finding]:
    for kind in CONTENT:
        for identifier, entry in library.of(kind).items():
            where = f"{library.origins[kind, identifier]}: {kind}.{identifier}"
            bodies = [(where, entry)]
            bodies += [(f"{where}.phases.{at}", phase) for at, phase in enumerate(getattr(entry, "phases", ()))]
            for path, body in bodies:
                yield from body_findings(body, path)
                if isinstance(entry, Gear):
                    yield from gear_findings(body, path, _tags_of(entry, library))
            if kind in ("items", "sets") and _is_idle(entry):
                yield Finding("does-nothing", where, "it has no stats, triggers, flags or modifiers")


def _tags_of(gear: Gear, library: Library) -> Counter[str]:
    """How often each tag is worn by an enemy or a boss."""
    worn = [library.of("items")[split_id(identifier)[1]] for identifier in worn_pieces(gear)]
    return Counter(tag for item in worn for tag in item.tags)


def _is_idle(entry: Any) -> bool:
    return not _has_effects(entry) and not any(entry.stats.model_dump().values())


def _has_effects(entry: Body) -> bool:
    return bool(any(entry.triggers.values()) or entry.flags or entry.modifiers)


def _set_findings(library: Library) -> Iterator[Finding]:
    """Sets that no fighter can complete."""
    items = library.of("items").values()
    for identifier, entry in library.of("sets").items():
        tagged = [item for item in items if entry.tag in item.tags]
        where = f"{library.origins['sets', identifier]}: sets.{identifier}"
        if not tagged:
            yield Finding("never-holds", f"{where}.tag", f'no item has the tag "{entry.tag}"')
        elif all(item.unique for item in tagged) and len(tagged) < entry.pieces:
            message = f"it needs {entry.pieces} pieces, but only {len(tagged)} exist, each unique"
            yield Finding("never-holds", f"{where}.pieces", message)


def _status_findings(library: Library) -> Iterator[Finding]:
    """Statuses that nothing gives, and statuses that do nothing."""
    entries = [entry for kind in CONTENT for entry in library.of(kind).values()]
    bodies = [body for entry in entries for body in (entry, *getattr(entry, "phases", ()))]
    given = {name for body in bodies for _, op in _ops_of(body) for name in given_by(op)}
    asked = set(own_statuses_in([plain_entry(entry) for entry in entries]))
    for identifier, entry in library.of("statuses").items():
        where = f"{library.origins['statuses', identifier]}: statuses.{identifier}"
        if identifier not in given:
            yield Finding("unused-status", where, "no item, set, status, enemy or boss gives stacks of it")
        if not _has_effects(entry) and identifier not in asked:
            yield Finding(
                "does-nothing", where, "it has no triggers, flags or modifiers, and no condition or amount uses it"
            )


def _retrigger_findings(library: Library) -> Iterator[Finding]:
    """Retrigger ops for which no piece exists."""
    items = library.of("items")
    for identifier, entry in items.items():
        for path, op in _ops_of(entry):
            if op.op == "retrigger":
                trigger, tag = op.argument("trigger"), op.argument("tag")
                others = (item for name, item in items.items() if name != identifier or not item.unique)
                if not any(_hears(item, trigger) and (not tag or tag in item.tags) for item in others):
                    where = f"{library.origins['items', identifier]}: items.{identifier}.{path}"
                    with_tag = f' with the tag "{tag}"' if tag else ""
                    yield Finding("does-nothing", where, f"no item{with_tag} has an effect of {trigger}")


def _hears(entry: Body, trigger: str) -> bool:
    return bool(entry.triggers.get(trigger)) or (
        trigger == "on_damaged" and any(str(flag).startswith(trigger) for flag in entry.flags)
    )


def _ops_of(entry: Body) -> Iterator[tuple[str, Op]]:
    """The ops of an entry, with their paths in it."""
    yield from ((path, part) for path, part in parts_of(entry) if isinstance(part, Op))


# Scenarios and builds.


def _written_findings(build: Fighter | BuildFile, where: str, known: Mapping[str, bool]) -> Iterator[Finding]:
    """Findings in a build's own definitions; `known` holds the options that matter to them."""
    if isinstance(build, Fighter):
        yield from body_findings(build, where, **known)
        for number, phase in enumerate(build.phases):
            yield from body_findings(phase, f"{where}.phases.{number}", **known)
    for path, _, piece in pieces_of(build):
        if isinstance(piece, Worn) and piece.is_written_out:
            yield from body_findings(piece, f"{where}.{path}", **known)


def _own_findings(scenario: Scenario, resolved: Resolved, lead: str, known: Mapping[str, bool]) -> Iterator[Finding]:
    """Findings in a scenario's own items and statuses, and those that nothing uses."""
    for identifier, status in scenario.statuses.items():
        where = f"{lead}statuses.{identifier}"
        yield from body_findings(status, where, **known)
        if identifier not in resolved.statuses:
            yield Finding("unused-status", where, "no piece that a fighter wears names it")
    worn = {piece.id for side in SIDES for piece in worn_pieces(getattr(resolved, side))}
    for identifier, item in scenario.items.items():
        where = f"{lead}items.{identifier}"
        yield from body_findings(item, where, **known)
        if identifier not in worn:
            yield Finding("unused-item", where, "no fighter wears it")
        if _is_idle(item):
            yield Finding("does-nothing", where, "it has no stats, triggers, flags or modifiers")


def _build_findings(fighter: ResolvedFighter, where: str) -> Iterator[Finding]:
    """Findings in everything a fighter wears together."""
    pieces = worn_pieces(fighter)
    bodies: list[Body] = [fighter, *pieces, *fighter.sets]
    if not pieces and not any((*fighter.triggers.values(), fighter.flags, fighter.modifiers, fighter.phases)):
        yield Finding("empty-build", where, "it wears nothing and only strikes")
    if any(cannot_attack(entry) for entry in bodies):
        names = [piece.name for piece in pieces if piece.triggers.get("on_hit") and not cannot_attack(piece)]
        if names:
            message = f"it never strikes, so these on-hit effects never run: {', '.join(names)}"
            yield Finding("never-runs", where, message)


def _option_findings(scenario: Scenario, resolved: Resolved, lead: str) -> Iterator[Finding]:
    """Options that have no effect in this battle."""
    rule = "option-without-effect"
    given = to_plain(scenario.options)
    fighters = [resolved.left, resolved.right]
    bodies = [*(body for fighter in fighters for body in _bodies(fighter)), *resolved.statuses.values()]
    triggers = {trigger for body in bodies for trigger, entries in body.triggers.items() if entries}
    ops = {op.op for body in bodies for _, op in _ops_of(body)}
    for option, needed in NEEDED_OPS.items():
        if option in given and needed not in ops:
            yield Finding(rule, f"{lead}options.{option}", f"nothing in this battle has {needed}")
    for option, needed in NEEDED_TRIGGERS.items():
        if option in given and needed not in triggers:
            yield Finding(rule, f"{lead}options.{option}", f"nothing in this battle has an effect of {needed}")
    if "fatigue_start" in given and resolved.options.fatigue_start >= resolved.options.turn_cap:
        yield Finding(rule, f"{lead}options.fatigue_start", "the turn cap comes first")
    if not resolved.options.allow_pre_phase and "pre" in triggers and "allow_pre_phase" not in given:
        message = "a fighter wears effects of pre, but the profile does not run them"
        yield Finding("never-runs", f"{lead}profile", message, "options.allow_pre_phase = true")


def _bodies(fighter: ResolvedFighter) -> list[Body]:
    return [fighter, *worn_pieces(fighter), *fighter.sets, *fighter.phases]


def _battle_findings(document: Document, resolved: Resolved, where: str) -> Iterator[Finding]:
    """Findings from trial battles: only fatigue or the cap ends them, or guards drop runs."""
    record = compile_battle(document, {}).record
    results = np.zeros(1, result_t)
    late, cut, tried = 0, 0, 0
    for stream in range(MOST_TRIES):
        play_many(record, stream, results, None, None)
        tried += 1
        late += int(results[0]["rounds"] > resolved.options.fatigue_start)
        cut += int(results[0]["cuts"] > 0)
        if not results[0]["blocks_drawn"]:
            break
    if late == tried:
        subject = "the battle lasts" if tried == 1 else f"all {tried} trial battles last"
        message = f"{subject} until fatigue begins (turn {resolved.options.fatigue_start})"
        yield Finding("cannot-end", where, message, "more damage, or less armor and healing, would end it")
    if cut:
        what = "a guard drops runs or strikes" if tried == 1 else f"in {cut} of {tried} battles a guard drops runs"
        yield Finding(
            "cut", where, f"{what}: an effect triggers itself", "run it with --detail all and look for Cut lines"
        )
