"""Learning environments as Markdown: what agents see, what they may do, how large a battle is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fracas.envs.descriptions import Block, Description, blocks_of, describe
from fracas.envs.names import ENVIRONMENTS, VERSIONS
from fracas.events.markdown import table
from fracas.rulesets.contract.agents import Feature


def environment_list() -> str:
    """All environments in one table."""
    rows = [
        (
            f"`{one.id}`",
            one.terms.decides,
            f"{len(one.features):,}",
            f"{one.actions:,}",
            f"{one.bytes_per_environment / 1000:,.1f} kB",
            f"`{one.for_both}`" if one.for_both else "none",
        )
        for one in (describe(name, version) for name in ENVIRONMENTS for version in VERSIONS)
    ]
    return table(("id", "who decides, when", "observation", "actions", "memory", "for both sides"), rows)


def environment_page(ruleset: str) -> str:
    """One environment: actions, the entries of its observation, what is hidden."""
    one, newest = describe(ruleset), describe(ruleset, VERSIONS[-1])
    more = list(_entries(newest, len(one.features)))
    actions = table(("action", "does"), [(number, meaning) for number, meaning in one.terms.actions])
    return "\n\n".join(
        [
            f"`{newest.id}`. {one.terms.decides}",
            f"**Actions**: `Discrete({one.actions})`.",
            actions,
            f"**Observation** of `{one.id}`: {len(one.features):,} float32 numbers.",
            *_entries(one),
            f"`{newest.id}` adds {len(newest.features) - len(one.features):,} numbers to these:",
            *more,
            f"**Hidden**: {one.terms.hidden}",
        ]
    )


def _entries(one: Description, first: int = 0) -> Iterator[str]:
    for block in blocks_of(one.features[first:]):
        block = replace(block, first=block.first + first)
        if len(block.names) > 1:
            yield _told(block)
        yield table(
            ("number", "name", "meaning", "unit", "range"),
            [
                (str(block.first + place), f"`{feature.name}`", feature.meaning, feature.unit, _range(feature))
                for place, feature in enumerate(block.features)
            ],
        )


def _told(block: Block) -> str:
    """The names of a block, and where each begins."""
    names, size = block.names, len(block.features)
    shown = ", ".join(f"`{name}`" for name in (names if len(names) <= 3 else (*names[:2],)))
    if len(names) > 3:
        shown = f"{shown} … `{names[-1]}`"
    counted = f"entry k of the n-th, from 0, is number {block.first} + {size} × n + k"
    return f"{len(names)} blocks of {size} entries, {shown}: {counted}. The first of them:"


def _range(feature: Feature) -> str:
    return f"{feature.low:g} to {feature.high:g}"
