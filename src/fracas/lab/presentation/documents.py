"""Which document is shown by which module, and reading documents of strangers."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec

from fracas.content.validate import shown
from fracas.errors import InputError
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.lab.presentation.types import Document

# The value of a document's key "command", and the class that shows it.
_HOMES = {
    "simulate": "fracas.lab.presentation.results.simulate:SimulateDocument",
    "compare": "fracas.lab.presentation.results.compare:CompareDocument",
    "variants": "fracas.lab.presentation.results.variants:VariantsDocument",
    "matchups": "fracas.lab.presentation.results.matchups:MatchupsDocument",
    "sweep": "fracas.lab.presentation.results.sweep:SweepDocument",
    "sensitivity": "fracas.lab.presentation.results.sensitivity:SensitivityDocument",
    "find": "fracas.lab.presentation.results.find:FindDocument",
    "odds": "fracas.lab.presentation.results.odds:OddsDocument",
    "optimise": "fracas.lab.presentation.results.optimise:OptimiseDocument",
    "why": "fracas.lab.presentation.results.why:WhyDocument",
    "ladder": "fracas.lab.presentation.results.ladder:LadderDocument",
    "ladders": "fracas.lab.presentation.results.ladders:LaddersDocument",
    "swaps": "fracas.lab.presentation.results.swaps:SwapsDocument",
}
# What several files of one command come to has a name of its own.
PRINTED_BY = {"ladders": "ladder"}
COMMANDS = tuple(name for name in _HOMES if name not in PRINTED_BY)
NAMES = tuple(_HOMES)


def printed_by(name: str) -> str:
    """The command that prints documents of a name."""
    return PRINTED_BY.get(name, name)


def document_of(content: Any, where: str) -> Document:
    """A document that can be shown, from plain values.

    Raises:
        InputError: it is of no command of the lab, or not what that command prints.
    """
    right = f"save the output of fracas {listed(COMMANDS)} with --format json"
    if not isinstance(content, dict):
        raise InputError.of(where, "is no result: one JSON object is expected", right)
    if "errors" in content:
        raise InputError.of(where, "holds the errors of a command that failed, not a result", right)
    command = content.get("command")
    if command is None:
        raise InputError.of(where, 'is no result of the lab: it has no key "command"', right)
    if not isinstance(command, str) or command not in _HOMES:
        known = nearest(command, COMMANDS) if isinstance(command, str) else None
        what = quoted(command) if isinstance(command, str) else shown(command)
        raise InputError.of(f"{where}: command", f"results of {what} cannot be shown", known or right)
    module, _, name = _HOMES[command].partition(":")
    kind: type[Document] = getattr(import_module(module), name)
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        message, place = _in_words(str(error))
        hint = f"print it again with fracas {printed_by(command)} --format json"
        raise InputError.of(f"{where}{place}", f"is no result of {command}: {message}", hint) from None


def _in_words(complaint: str) -> tuple[str, str]:
    """What msgspec says, as the message and the place that it names: `Expected ... - at `$.shares[0]``."""
    message, _, place = complaint.partition(" - at `$")
    path = place.rstrip("`").removeprefix(".")
    return message[:1].lower() + message[1:].replace("`", '"'), f": {path}" if path else ""
