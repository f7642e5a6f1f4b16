"""What a ruleset says of its random scenarios, as one hash for each thing that must not change.

A change of shape (a model derived from a declaration, a story made of templates) must leave every hash as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import blake3
import numpy as np

import fracas
from fracas.engine.battle import Battle
from fracas.errors import InputError
from fracas.kernel.event_protocol import DETAILS
from fracas.replay.json_schema import json_schema
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.ruleset import Ruleset


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return str(value)


def _json(value: Any) -> bytes:
    return json.dumps(value, default=_plain, sort_keys=True, ensure_ascii=False).encode()


def _search_space(battle: Battle) -> Any:
    hooks = battle.scenario.ruleset.analysis
    found: list[Any] = []
    for side in (1, 2):
        try:
            space = hooks.search_space(SideRef(battle.scenario.document, side), ())
        except InputError as error:
            found.append([str(problem) for problem in error.problems])
        else:
            found.append([[each.name, each.part, each.path, each.values, each.labels, each.current] for each in space])
    return found


def _stats(battle: Battle) -> Any:
    hooks = battle.scenario.ruleset.analysis
    stats = [stat for side in (1, 2) for stat in hooks.stats(SideRef(battle.scenario.document, side))]
    return [[each.path, each.name, each.owner, each.value, each.least, each.most, each.step] for each in stats]


# A scenario whose resolved document was changed by a value of the wrong kind, so that the messages are frozen too.
def _problems(battle: Battle) -> Any:
    said = []
    for key in battle.scenario.document:
        document = {**battle.scenario.document, key: [{"no": "such"}]}
        try:
            fracas.load(document)
        except InputError as error:
            said.append([[problem.where, problem.message, problem.suggestion] for problem in error.problems])
    return said


SCENARIOS = 50
"""How many scenarios of each ruleset the check compares."""
SELDOM = {"search space", "problems"}
"""What is asked of every fifth scenario only: it takes longer than all else, and differs less between scenarios."""


def _story(detail: str) -> Callable[[Battle], bytes]:
    return lambda battle: battle.story(detail).encode()


OF_A_BATTLE: dict[str, Callable[[Battle], bytes]] = {
    "document": lambda battle: _json(battle.scenario.document),
    "rows": lambda battle: np.ascontiguousarray(battle.rows).astype("<i4").tobytes(),
    "outcome": lambda battle: _json(battle.outcome_json()),
    **{detail: _story(detail) for detail in DETAILS},
    "search space": lambda battle: _json(_search_space(battle)),
    "stats": lambda battle: _json(_stats(battle)),
    "problems": lambda battle: _json(_problems(battle)),
}


def _protocol(ruleset: Ruleset) -> Any:
    return [[number, kind.__name__, [*kind.__annotations__]] for number, kind in ruleset.protocol.kinds.items()]


def hashes(name: str, numbers: Iterable[int]) -> dict[str, str]:
    """The hash of each thing over the random scenarios with these numbers, by the thing's name."""
    ruleset = registry.get(name)
    hashers = {thing: blake3.blake3() for thing in OF_A_BATTLE}
    for number in numbers:
        battle = fracas.run(fracas.load(ruleset.random_scenario(number)))
        for thing, said in OF_A_BATTLE.items():
            if number % 5 == 0 or thing not in SELDOM:
                hashers[thing].update(said(battle))
    found = {thing: hasher.hexdigest(length=8) for thing, hasher in hashers.items()}
    of_the_ruleset = {"schema": json_schema(name, "scenario"), "events": _protocol(ruleset)}
    return found | {thing: blake3.blake3(_json(said)).hexdigest(length=8) for thing, said in of_the_ruleset.items()}
