"""A battle that is resumed up to a round stops there, with the state that a walk through it finds (`why`)."""

from __future__ import annotations

import numpy as np
import pytest
from tests.helpers.scenarios import STANDARD

import fracas
from fracas.content.packs import examples_folder
from fracas.kernel.snapshots import FROM_SET_UP, as_words, mutable_spans, save_snapshot
from fracas.rulesets import registry


@pytest.mark.parametrize("name", registry.NAMES)
def test_it_stops_before_each_round_with_its_snapshot(name: str) -> None:
    scenario = fracas.load(examples_folder() / name / f"{STANDARD[name]}.toml")
    kernels = scenario.ruleset.kernels
    assert kernels.resume_many is not None
    points = scenario.ruleset.analysis.decision_points(scenario.compiled, scenario.document, 0)
    rounds = [point for point in points if point.decision is None and point.resume_at[0] != FROM_SET_UP]
    assert len(rounds) > 2
    records = scenario.compiled.own_record()
    words, spans = as_words(records), mutable_spans(records.dtype, kernels.constant_fields)
    kept, place = save_snapshot(records, spans), (FROM_SET_UP,) * kernels.resume_length
    for point in rounds:
        result = np.zeros(1, kernels.result_type)
        until = np.array((*place[:-1], point.tick + 1), np.int64)
        kernels.resume_many(records, words, kept, spans, 0, result, until, None)
        assert result["reason"][0] == 0
        kept, place = save_snapshot(records, spans), point.resume_at
        assert (kept == point.snapshot).all()
