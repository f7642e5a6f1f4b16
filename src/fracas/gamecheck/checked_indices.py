"""Plays battles with checked indices, in its own process: the switch is read when the compiler is imported.

NUMBA_BOUNDSCHECK=1 python -m fracas.gamecheck.checked_indices ASKED.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from fracas.engine.player import prepare_native
from fracas.engine.scenario import compile_document
from fracas.errors import InputError
from fracas.kit import load
from fracas.rulesets import registry


def play(asked: dict[str, Any]) -> dict[str, Any]:
    """Play the battles; faults are the number of the document, the stream, and what was raised."""
    if asked["file"] is not None:
        load.use(asked["file"])
    game = registry.get(asked["name"])
    kernels, faults, battles = game.kernels, [], 0
    silent = None
    for index, document in enumerate(asked["documents"]):
        record = compile_document(document, {}).compiled.own_record()
        if silent is None:
            silent = prepare_native(kernels, game.name, record, None, None, None)
        for stream in range(asked["battles"]):
            battles += 1
            try:
                silent(record.copy(), stream, np.zeros(1, kernels.result_type), None, None)
            except (IndexError, ZeroDivisionError, OverflowError) as error:
                faults.append((index, stream, f"{type(error).__name__}: {error}"))
                break
    return {"battles": battles, "faults": faults}


if __name__ == "__main__":
    try:
        told = play(json.loads(Path(sys.argv[1]).read_text()))
    except InputError as problem:
        sys.exit(str(problem))
    sys.stdout.write("\n" + json.dumps(told) + "\n")
