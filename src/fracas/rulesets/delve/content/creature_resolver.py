"""Resolves enemies: creatures of the content or written in the scenario, before difficulty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from fracas.content.references import to_plain
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.content.equipment import DEFENSES
from fracas.rulesets.delve.content.models.characters import Creature, CreatureEntry, Phase
from fracas.rulesets.delve.content.resolver import UNKNOWN, Payer, Resolver, titled
from fracas.rulesets.delve.rules.constants import ATTRIBUTES

# The keys that a creature without a template must have, besides its queue.
NEEDED = ("level", "hp", *(f"attributes.{name}" for name in ATTRIBUTES))
LOOKED_UP = ("queue", "phases", "template")


def resolve_creatures(
    resolver: Resolver, path: str, entries: Sequence[str | CreatureEntry], *, content: bool
) -> list[Document]:
    """The enemies of one fight, each with a unique id and name."""
    return resolver.participants(path, entries, partial(resolve_creature, resolver, content=content))


def resolve_creature(resolver: Resolver, path: str, entry: str | CreatureEntry, *, content: bool) -> Document:
    """A creature of the content, or one written out."""
    key = ("creature", content, resolver.passes_over_named)
    made = partial(written_out, resolver, path, content=content)
    return resolver.resolved_once(
        entry, key, lambda: resolver.templated("creatures", path, entry, CreatureEntry, made, content)
    )


def written_out(
    resolver: Resolver, path: str, base: Creature | None, written: CreatureEntry, *, content: bool
) -> Document:
    """The creature's own numbers over those of its template, if it has one.

    Raises:
        InputError: something is missing.
    """
    values = _merged(to_plain(base, without=LOOKED_UP) if base else {}, to_plain(written, without=LOOKED_UP))
    queue = written.queue or (base.queue if base else [])
    phases: Sequence[Phase] = written.phases if written.phases is not None else base.phases if base else []
    missing = [key for key in NEEDED if not _has(values, key)] + ([] if queue else ["queue"])
    resolver.refuse_incomplete(path, missing, written.id, "creatures")
    identifier = resolver.identifier(path, written.id, base.id if base else None)
    payer: Payer = UNKNOWN if values.get("resource") else None
    with resolver.collecting():
        payer = resolver.resource(f"{path}.resource", values["resource"]) if values.get("resource") else None
    slots = resolver.queue(f"{path}.queue", queue, payer, content=content or not written.queue)
    later = resolver.phases(f"{path}.phases", phases, payer, content=content or written.phases is None)
    resolver.refuse_too_many_skills(path, [slots, *(phase.get("queue", []) for phase in later)])
    return {
        "id": identifier,
        "name": values.get("name") or titled(identifier),
        "level": values["level"],
        "hp": values["hp"],
        "attributes": {name: values["attributes"][name] for name in ATTRIBUTES},
        **({"resource": payer} if payer else {}),
        **{name: values.get(name, 0) for name in (*DEFENSES, "weapon_speed")},
        "weapon": values.get("weapon", {"min": 0, "max": 0}),
        "queue": slots,
        "boss": values.get("boss", False),
        "phases": later,
        "xp_reward": values.get("xp_reward", 0),
        **({"loot_table_id": values["loot_table_id"]} if "loot_table_id" in values else {}),
    }


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> Document:
    """Merge two tables recursively; the second wins."""
    values = dict(below)
    for key, value in above.items():
        both = isinstance(value, Mapping) and isinstance(values.get(key), Mapping)
        values[key] = _merged(values[key], value) if both else value
    return values


def _has(values: Mapping[str, Any], path: str) -> bool:
    """Whether nested tables have a value at a dotted path."""
    here: Any = values
    for part in path.split("."):
        if not isinstance(here, Mapping) or part not in here:
            return False
        here = here[part]
    return True
