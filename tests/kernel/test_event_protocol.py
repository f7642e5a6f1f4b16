"""Events are declared once: what an emitter writes is what the protocol reads."""

from __future__ import annotations

import importlib
from collections import defaultdict
from typing import Annotated

import numpy as np
import pytest

from fracas.kernel.event_log import MISFIT, NOBODY, log_type
from fracas.kernel.event_protocol import (
    STORY,
    Codebook,
    Event,
    FieldPlan,
    MaybeUnit,
    Protocol,
    Word,
    declared_in,
    emitter,
    event,
)
from fracas.rulesets import registry

# Logged by a campaign, not by rules.
NOT_EMITTED = {("stacks", "commit"), ("stacks", "skipped")}
BOOKS: defaultdict[str, list[str]] = defaultdict(lambda: ["a name"])


@event(7, STORY)
class Struck(Event):
    """A unit is struck."""

    target: MaybeUnit
    how: Annotated[str, Codebook("how"), "how"]
    word: Annotated[int, Word(), "a word"]
    hard: Annotated[bool, "whether hard"]


def new_log():
    return np.zeros(1, log_type(4))[0]


def sample(plan: FieldPlan):
    """A value for an emitter, and what is read again."""
    if plan.book is not None:
        return 0, "a name"
    value = 0xFEDC1234 if plan.is_word else -0.1 if plan.is_double else True if plan.is_flag else -7
    return value, value


def test_an_emitter_writes_columns_in_the_order_of_fields():
    log = new_log()
    emitter(Struck)(log, 3, NOBODY, 0, 0x00020001, 1 == 1)
    assert log.rows[: log.count].tolist() == [[3, 7, NOBODY, NOBODY, 0, 1, 2, 1]]


def test_an_emitter_takes_names_and_refuses_a_wrong_number_of_columns():
    log = new_log()
    emit_struck = emitter(Struck)
    emit_struck(log, tick=1, target=2, how=0, word=5, hard=0)
    assert log.count == 1
    with pytest.raises(TypeError):
        emit_struck(log, 1, 2, 0, 5)


def test_an_emitter_without_a_log_does_nothing():
    emitter(Struck)(None, 1, 2, 0, 5, 0)


def test_what_does_not_fit_is_remembered():
    log = new_log()
    emitter(Struck)(log, 1, 2, 2**31, 5, 0)
    assert (log.count, log.fault) == (0, MISFIT)


def test_the_events_of_a_module_are_found_in_their_order():
    assert declared_in(__name__) == [Struck]
    assert Protocol(declared_in(__name__)).kinds == {7: Struck}


@pytest.mark.parametrize("name", registry.NAMES)
def test_every_event_of_a_ruleset_is_read_as_it_was_emitted(name):
    module = importlib.import_module(f"fracas.rulesets.{name}.rules.events")
    protocol = module.PROTOCOL
    for kind, declared in protocol.kinds.items():
        if (name, declared.NAME) in NOT_EMITTED:
            continue
        values, read = zip(*map(sample, protocol.plan(kind)), strict=True)
        log = new_log()
        getattr(module, f"emit_{declared.NAME}")(log, 5, *values)
        assert protocol.decode(log.rows[: log.count], BOOKS) == [declared(5, *read)]
