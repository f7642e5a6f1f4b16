"""Kept sessions between people: playing one again, and the check that its server kept its promise."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fracas.engine.battle import Battle, play_battle
from fracas.engine.player import Notice
from fracas.engine.replay_file import LARGEST_REPLAY, format_of, problem_in
from fracas.engine.scenario import compile_document
from fracas.errors import InputError
from fracas.files.read import parse_json, read_text
from fracas.rulesets import registry
from fracas.rulesets.contract.types import SESSION_FORMAT, Document, SavedSession


@dataclass(frozen=True)
class PlayerNotes:
    """What a player noted down while the duel was played; None for what it did not."""

    commitment: str | None = None
    """The commitment, or the handshake, which binds the sealed salts besides."""
    salt: str | None = None


NOTHING_NOTED = PlayerNotes()


@dataclass(frozen=True)
class SessionVerification:
    """What playing a kept session again showed."""

    file: str
    """The session's path."""
    kept: SavedSession
    battle: Battle
    """The battle as it was played again; beyond the rounds that were kept nobody chooses."""
    rounds: int
    """How many rounds were kept."""
    explanation: str = ""
    """What is not as it should be, in a sentence; empty if all is."""
    compared: PlayerNotes = NOTHING_NOTED
    """What a player had noted down, and the kept session was compared with."""

    @property
    def matches(self) -> bool:
        """True if the promise was kept and every round was what the promised dice give."""
        return not self.explanation

    @property
    def is_over(self) -> bool:
        """Whether the last of the kept rounds ended the duel."""
        return self.battle.rounds == self.rounds and bool(self.rounds)


def is_session(document: Any) -> bool:
    """Whether a document, which need not be sound, is a kept session."""
    return isinstance(document, dict) and document.get("format") == SESSION_FORMAT


def holds_session(path: Path) -> bool:
    """Whether a file holds a kept session; what cannot be read holds none."""
    return format_of(path) == SESSION_FORMAT


def read_session(document: Document, where: str) -> SavedSession:
    """A session's document as a battle that can be played again.

    Raises:
        InputError: it was edited, is no sound session, or its ruleset has none.
    """
    scenario = document.get("scenario")
    name = scenario.get("ruleset") if isinstance(scenario, dict) else None
    if not isinstance(name, str):
        raise InputError.of(f"{where}: scenario", "does not say which ruleset it is for")
    return registry.get(name, f"{where}: scenario.ruleset").saved_session(document, where)


def verify_session(
    path: Path, noted: PlayerNotes = NOTHING_NOTED, notice: Notice | None = None, *, alone: bool = False
) -> SessionVerification:
    """Play a kept session again: are seed, scenario and policies those promised, and is every round what they give?

    The commitment binds these; the handshake binds both sealed salts besides, and one's own salt can be compared too.

    Raises:
        InputError: it is unreadable, was edited, or is no session.
    """
    where = str(path)
    document = parse_json(read_text(path, LARGEST_REPLAY), where)
    if not is_session(document):
        raise InputError.of(where, "is no duel session")
    kept = read_session(document, where)
    try:
        scenario = compile_document(kept.scenario, {})
    except InputError as error:
        raise InputError([problem_in(where, problem) for problem in error.problems]) from None
    battle = play_battle(scenario, notice=notice, alone=alone)
    return SessionVerification(where, kept, battle, len(kept.digests), _difference(kept, battle, noted), noted)


def _difference(kept: SavedSession, battle: Battle, noted: PlayerNotes) -> str:
    """What is not as it should be."""
    if noted.commitment is not None and noted.commitment.strip().casefold() not in (kept.commitment, kept.handshake):
        return "neither its commitment nor its handshake is what was noted down"
    if noted.salt is not None and noted.salt not in kept.salts.values():
        return "none of its salts is the one that was given"
    if kept.broken:
        return kept.broken
    for number, digest in enumerate(kept.digests, 1):
        if battle.tick_digests.get(number) != digest:
            return f"the dice that were promised give another {battle.place(number)}"
        if [_chosen(event) for event in battle.events if event.tick == number and event.NAME == "choice"] != list(
            kept.choices[number - 1]
        ):
            return f"the choices noted for {battle.place(number)} are not those that were made"
    return ""


def _chosen(event: Any) -> str:
    """A choice as sessions write it."""
    if event.why == "too late":
        return "missed"
    return str(event.ability or event.action)


def told_session_again(path: Path) -> Battle:
    """The battle of a finished session, played again.

    Raises:
        InputError: see `verify_session`; or it is not over, or does not come out as it is kept.
    """
    found = verify_session(path, alone=True)
    if not found.matches:
        raise InputError.of(str(path), found.explanation, "try fracas verify")
    if not found.is_over:
        raise InputError.of(
            str(path), f"is not over: {found.rounds} rounds were played", "fracas duel --resume goes on"
        )
    return found.battle
