"""Reads saved result documents and picks the presentation class for their command."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec

from fracas.content.validate import shown
from fracas.errors import InputError
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.lab.presentation.notebook import Document

# The value of a document's "command" key, and the class that presents it.
_HOMES = {
    "simulate": "fracas.lab.simulation.results:Results",
    "compare": "fracas.lab.studies.compare_result:Comparison",
    "variants": "fracas.lab.studies.variants_result:VariantSet",
    "matchups": "fracas.lab.studies.matchups_result:Matchups",
    "sweep": "fracas.lab.studies.sweep_result:Sweep",
    "sensitivity": "fracas.lab.studies.sensitivity_result:Sensitivity",
    "find": "fracas.lab.studies.find_result:Found",
    "odds": "fracas.lab.studies.odds_result:Odds",
    "optimise": "fracas.lab.search.optimise_result:Optimised",
    "why": "fracas.lab.explain.why_result:Why",
    "ladder": "fracas.lab.studies.ladder_result:Ladder",
    "ladders": "fracas.lab.studies.ladder_result:Ladders",
    "swaps": "fracas.lab.studies.swaps_result:Swaps",
}
# The document of several files of one command has its own name.
PRINTED_BY = {"ladders": "ladder"}
# These are commands themselves, the others are commands of `fracas lab`.
TOP_LEVEL = ("simulate", "compare", "odds", "optimise", "why")
COMMANDS = tuple(name for name in _HOMES if name not in PRINTED_BY)
NAMES = tuple(_HOMES)


def printed_by(name: str) -> str:
    """The command that prints documents with this name, `simulate` or `lab matchups`."""
    command = PRINTED_BY.get(name, name)
    return command if command in TOP_LEVEL else f"lab {command}"


def document_of(content: Any, where: str) -> Document:
    """Convert plain values to a document that can be presented.

    Raises:
        InputError: it is not a document of a lab command, or not what that command prints.
    """
    right = f"save the output of fracas {listed([printed_by(name) for name in COMMANDS])} with --format json"
    if not isinstance(content, dict):
        raise InputError.of(where, "is not a result: expected one JSON object", right)
    if "errors" in content:
        raise InputError.of(where, "holds the errors of a failed command, not a result", right)
    command = content.get("command")
    if command is None:
        raise InputError.of(where, 'is not a result of the lab: it has no key "command"', right)
    if not isinstance(command, str) or command not in _HOMES:
        similar = nearest(command, COMMANDS) if isinstance(command, str) else None
        what = quoted(command) if isinstance(command, str) else shown(command)
        raise InputError.of(f"{where}: command", f"results of {what} cannot be shown", similar or right)
    module, _, name = _HOMES[command].partition(":")
    kind: type[Document] = getattr(import_module(module), name)
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        message, path = _in_words(str(error))
        hint = f"print it again with fracas {printed_by(command)} --format json"
        raise InputError.of(f"{where}{path}", f"is not a result of {command}: {message}", hint) from None


def _in_words(complaint: str) -> tuple[str, str]:
    """Split a msgspec message into text and path: `Expected ... - at `$.shares[0]``."""
    message, _, path = complaint.partition(" - at `$")
    path = path.rstrip("`").removeprefix(".")
    return message[:1].lower() + message[1:].replace("`", '"'), f": {path}" if path else ""
