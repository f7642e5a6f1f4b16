"""Messages between this program and its workers: plain data, with checks that both have the same rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from blake3 import blake3

from fracas.engine.scenario import Scenario, compile_document, content_fingerprint
from fracas.errors import FaultError, InputError, Problem
from fracas.errors.suggestions import quoted
from fracas.files.read import read_text
from fracas.kit.load import short
from fracas.lab.execution.executor import SimulationTask
from fracas.plugins.loader import LARGEST_PLUGIN, plugins_of
from fracas.rulesets import registry
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.version import __version__

DONE, REFUSED, FAULTY = b"D", b"R", b"F"


class TaskMessage(msgspec.Struct, frozen=True):
    """A simulation as sent to a worker: the resolved document, its versions, and the requested output."""

    fracas: str
    sources: str
    """A hash of the program's source files."""
    ruleset: str
    rules_version: int
    game: str
    """The rules hash of a game, whose source is not sent either; empty for a shipped ruleset."""
    content_fingerprint: str
    document: dict[str, Any]
    plugins: list[tuple[str, str, str]]
    """Name, file and hash of each plug-in. The source is not sent: a worker runs its own file."""
    rows: bool
    looks: bool
    start: int


def encode_task(task: SimulationTask) -> bytes:
    """Encode a task as bytes."""
    scenario = task.scenario
    order = TaskMessage(
        fracas=__version__,
        sources=program_hash(),
        ruleset=scenario.ruleset.name,
        rules_version=scenario.ruleset.rules_version,
        game=scenario.ruleset.rules_hash,
        content_fingerprint=scenario.fingerprint,
        document=scenario.document,
        plugins=[(each.name, str(Path(each.file).absolute()), each.source_hash) for each in scenario.compiled.plugins],
        rows=task.output.rows,
        looks=task.output.looks,
        start=task.output.start,
    )
    return msgspec.json.encode(order)


@cache
def program_hash() -> str:
    """A hash of all of Fracas's source files."""
    package = Path(__file__).parent.parent
    hasher = blake3()
    for file in sorted(package.rglob("*.py"), key=lambda file: file.relative_to(package).as_posix()):
        hasher.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return hasher.hexdigest(8)


def decode_task(content: bytes, worker: str) -> tuple[TaskMessage, Scenario]:
    """Decode a task and compile its scenario on this worker.

    Raises:
        InputError: this worker has other rules, or lacks a plug-in.
    """
    # Other versions may have another message format, so the sender's version is read first.
    maker = msgspec.json.decode(content, type=dict[str, Any])
    _refuse_others(maker, f"worker {worker}")
    order = msgspec.json.decode(content, type=TaskMessage)
    _refuse_other_rules(order, f"worker {worker}")
    plugins = {name: _plugin(name, Path(file), known, worker) for name, file, known in order.plugins}
    scenario = compile_document(order.document, plugins)
    fingerprint = content_fingerprint(scenario.document)
    if fingerprint != order.content_fingerprint or scenario.ruleset.rules_version != order.rules_version:
        raise InputError.of(f"worker {worker}", "resolves the scenario differently", _SAME)
    return order, scenario


_SAME = "install the same version of Fracas on every machine"


def _refuse_others(maker: dict[str, Any], where: str) -> None:
    theirs, here = maker.get("fracas"), __version__
    if theirs != here:
        raise InputError.of(where, f"has Fracas {here}, but this machine has {theirs}", _SAME)
    if maker.get("sources") != program_hash():
        message = f"has Fracas {here} like this machine, but other source files ({program_hash()} there"
        raise InputError.of(where, f"{message}, {maker.get('sources')} here)", _SAME)


def _refuse_other_rules(order: TaskMessage, where: str) -> None:
    """Refuse the task of a game that this worker does not know, or knows with other rules."""
    if not registry.is_known(order.ruleset):
        hint = f"start it with the game's file: fracas machine worker ADDRESS --game {order.ruleset}.py"
        raise InputError.of(where, f"does not know the game {quoted(order.ruleset)}", hint)
    here = registry.get(order.ruleset).rules_hash
    if here != order.game:
        message = f"has other rules of {order.ruleset} ({short(here)} there, {short(order.game)} here)"
        raise InputError.of(where, message, "start the worker with the same file or package as here")


def _plugin(name: str, file: Path, known: str, worker: str) -> Plugin:
    where = f"worker {worker}: {file}"
    hint = "put the same file at the same place on every machine"
    try:
        text = read_text(file, LARGEST_PLUGIN)
    except InputError:
        raise InputError.of(where, f"the plug-in {quoted(name)} is not there", hint) from None
    if blake3(text.encode()).hexdigest() != known:
        raise InputError.of(where, f"the plug-in {quoted(name)} differs from the one here", hint)
    return next(plugin for _, plugin in plugins_of(file) if plugin.name == name)


def encode_refusal(problems: Sequence[Problem]) -> bytes:
    """Encode problems with the input as an answer."""
    plain = [(problem.where, problem.message, problem.suggestion) for problem in problems]
    return REFUSED + msgspec.json.encode(plain)


def decode_answer(content: bytes) -> bytes:
    """Decode a worker's answer.

    Raises:
        InputError: the worker refused the task.
        FaultError: a battle hit a limit of the engine.
    """
    kind, rest = content[:1], content[1:]
    if kind == REFUSED:
        document = msgspec.json.decode(rest, type=list[tuple[str, str, str | None]])
        raise InputError([Problem(*each) for each in document])
    if kind == FAULTY:
        raise FaultError(rest.decode())
    return rest
