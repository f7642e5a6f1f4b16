"""Describes a module's memory: where each field is, and what its numbers mean.

The description is made from the types that Python itself plays with. A program in another language needs it, the module
and a compiled battle (`fracas publish pack`), and no knowledge of Fracas.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from blake3 import blake3

from fracas.kernel.event_log import COLUMNS, FULL, MISFIT, NOBODY, PLUGIN_FAULT
from fracas.kernel.event_protocol import FieldPlan, Protocol
from fracas.kernel.snapshots import FROM_DECISION, FROM_ROUND, FROM_SET_UP, WITH_CHOICE, mutable_spans
from fracas.portable.intermediate_code import DECIDE, DECIDE_PARAMETERS
from fracas.rulesets.contract.agents import AgentInterface
from fracas.rulesets.contract.kernels import Kernels
from fracas.rulesets.contract.ruleset import Ruleset

FORMAT = "fracas rules module"
FORMAT_VERSION = 1
ALIGNMENT = 64
LARGEST_STREAM = 2**63 - 1
# A bit of a result's fault: an address of the dice ran out of words.
DICE_FAULT = 1 << 8
EXPORTS: Mapping[str, tuple[str, ...]] = {
    "simulate": ("record", "lo", "hi", "results", "n"),
    "play": ("record", "lo", "hi", "result", "log"),
    "resume": (
        *("record", "words", "kept", "n_kept", "spans", "n_spans"),
        *("lo", "hi", "results", "n", "place", "n_place"),
    ),
    "prepare": ("record",),
}

Description = dict[str, Any]


def describe(ruleset: Ruleset) -> Description:
    """Describe everything about a ruleset's module except its bytes. Equal sources give equal descriptions."""
    kernels = ruleset.kernels
    record, result = record_layout(kernels.battle_type), record_layout(kernels.result_type)
    log = log_layout(kernels.log_type)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "ruleset": ruleset.name,
        "rules_version": ruleset.rules_version,
        "layout_key": layout_key([ruleset.name, ruleset.rules_version, record, result, log]),
        "byte_order": "little",
        "alignment": ALIGNMENT,
        "exports": {name: list(parameters) for name, parameters in exports_of(ruleset).items()},
        "record": record,
        "result": result,
        "log": log,
        "columns": list(COLUMNS),
        "nobody": NOBODY,
        "events": event_layouts(ruleset.protocol),
        "books": {name: list(names) for name, names in sorted(ruleset.codebooks.items())},
        "reasons": list(ruleset.reasons),
        "faults": {"log": 0xFF, "log_full": FULL, "log_misfit": MISFIT, "dice": DICE_FAULT, "plugin": PLUGIN_FAULT},
        "resume": resume_layout(kernels),
        "largest_stream": LARGEST_STREAM,
    }


def deciding_interface(ruleset: Ruleset) -> AgentInterface | None:
    """The interface whose decisions a ruleset's module plays; None for a module that takes none.

    Those of shipped rulesets take none: titans, which people play, writes choices into its scenarios.
    """
    return ruleset.agents if ruleset.rules_hash else None


def exports_of(ruleset: Ruleset) -> Mapping[str, tuple[str, ...]]:
    """The functions that a ruleset's module exports, and the names of their parameters."""
    return {**EXPORTS, DECIDE: DECIDE_PARAMETERS} if deciding_interface(ruleset) is not None else EXPORTS


def log_layout(kind: np.dtype[Any]) -> Description:
    """The places of a log's parts; it holds a fixed number of rows of eight numbers."""
    assert kind.fields is not None
    places = {name: offset for name, (_, offset, *_) in kind.fields.items()}
    return {"size": kind.itemsize, **places, "row_bytes": 4 * len(COLUMNS), "capacity": kind["rows"].shape[0]}


def resume_layout(kernels: Kernels) -> Description:
    """How to resume a battle: the words to restore, as pairs of first word and end, and the meaning of places."""
    spans = mutable_spans(kernels.battle_type, kernels.constant_fields)
    return {
        "place_length": kernels.resume_length,
        "spans": spans.tolist(),
        "kept_words": int((spans[:, 1] - spans[:, 0]).sum()),
        "from_set_up": FROM_SET_UP,
        "from_round": FROM_ROUND,
        "from_decision": FROM_DECISION,
        "with_choice": WITH_CHOICE,
    }


def record_layout(kind: np.dtype[Any]) -> Description:
    """A record's size and its fields, in order of offset."""
    assert kind.fields is not None
    placed = sorted(
        ((offset, name, field) for name, (field, offset, *_) in kind.fields.items()), key=lambda each: each[0]
    )
    return {"size": kind.itemsize, "fields": [_field(name, offset, field) for offset, name, field in placed]}


def _field(name: str, offset: int, field: np.dtype[Any]) -> Description:
    base, shape = field.subdtype if field.subdtype is not None else (field, ())
    # The stride in bytes of each dimension of the shape.
    strides = [base.itemsize * int(np.prod(shape[index + 1 :], dtype=np.int64)) for index in range(len(shape))]
    layout = {"name": name, "offset": offset, "shape": list(shape), "stride": strides}
    if base.names is not None:
        return {**layout, "kind": "record", **record_layout(base)}
    return {**layout, "kind": f"{base.kind}{base.itemsize}"}


def layout_key(parts: list[Any]) -> str:
    """A hash of all offsets and of the rules version; modules with equal hashes can exchange records."""
    return blake3(msgspec.json.encode(parts, order="deterministic")).hexdigest(16)


def event_layouts(protocol: Protocol) -> list[Description]:
    """All kinds of event rows, and the columns of each kind."""
    return [
        {
            "kind": kind,
            "name": declared.NAME,
            "detail": declared.DETAIL,
            "fields": [_event_field(plan) for plan in protocol.plan(kind)],
        }
        for kind, declared in sorted(protocol.kinds.items())
    ]


def _event_field(plan: FieldPlan) -> Description:
    if plan.book is not None:
        return {"name": plan.name, "column": plan.column, "form": "name", "book": plan.book, "none": plan.may_be_nobody}
    form = "word" if plan.is_word else "double" if plan.is_double else "flag" if plan.is_flag else "number"
    return {"name": plan.name, "column": plan.column, "form": form}
