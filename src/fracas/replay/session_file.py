"""Verify saved duel sessions: play them again and check that the server kept its commitment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fracas.engine.battle import Battle, play_battle
from fracas.engine.player import Notice
from fracas.engine.replay_file import LARGEST_REPLAY, format_of, problem_in
from fracas.engine.scenario import compile_document
from fracas.errors import InputError
from fracas.files.read import FileLike, parse_json, read_text
from fracas.rulesets import registry
from fracas.rulesets.contract.types import SESSION_FORMAT, Document, SavedSession


@dataclass(frozen=True)
class PlayerNotes:
    """What a player noted down during the duel; None for anything not noted."""

    commitment: str | None = None
    """The commitment, or the handshake, which also binds the sealed salts."""
    salt: str | None = None


NOTHING_NOTED = PlayerNotes()


@dataclass(frozen=True)
class SessionVerification:
    """The result of verifying a saved session."""

    file: str
    """The session's path."""
    saved: SavedSession
    battle: Battle
    """The battle as played again; after the saved rounds nobody chooses."""
    rounds: int
    """Number of saved rounds."""
    explanation: str = ""
    """The first difference, as a sentence; empty if there is none."""
    compared: PlayerNotes = NOTHING_NOTED
    """The player's notes that the session was compared with."""

    @property
    def matches(self) -> bool:
        """Whether the commitment was kept and every round matches the committed dice."""
        return not self.explanation

    @property
    def is_over(self) -> bool:
        """Whether the last saved round ended the duel."""
        return self.battle.rounds == self.rounds and bool(self.rounds)


def is_session(document: Any) -> bool:
    """Whether a document, which need not be valid, is a saved session."""
    return isinstance(document, dict) and document.get("format") == SESSION_FORMAT


def holds_session(path: FileLike) -> bool:
    """Whether a file is a saved session; False if it cannot be read."""
    return format_of(path) == SESSION_FORMAT


def read_session(document: Document, where: str) -> SavedSession:
    """Read a session's document so that it can be played again.

    Raises:
        InputError: it was edited, is not a valid session, or its ruleset has no sessions.
    """
    scenario = document.get("scenario")
    name = scenario.get("ruleset") if isinstance(scenario, dict) else None
    if not isinstance(name, str):
        raise InputError.of(f"{where}: scenario", "does not name a ruleset")
    ruleset = registry.get(name, f"{where}: scenario.ruleset")
    return ruleset.required(ruleset.session, "sessions", where).saved_session(document, where)


def verify_session(
    path: FileLike, noted: PlayerNotes = NOTHING_NOTED, notice: Notice | None = None, *, alone: bool = False
) -> SessionVerification:
    """Verify a saved session: check seed, scenario and policies against the commitment, and play every round again.

    The handshake also binds both sealed salts, and a player's own salt can be compared too.

    Raises:
        InputError: the file is unreadable, was edited, or is not a session.
    """
    where = str(path)
    document = parse_json(read_text(path, LARGEST_REPLAY), where)
    if not is_session(document):
        raise InputError.of(where, "is not a duel session")
    saved = read_session(document, where)
    try:
        scenario = compile_document(saved.scenario, {})
    except InputError as error:
        raise InputError([problem_in(where, problem) for problem in error.problems]) from None
    battle = play_battle(scenario, notice=notice, alone=alone)
    return SessionVerification(where, saved, battle, len(saved.digests), _difference(saved, battle, noted), noted)


def _difference(saved: SavedSession, battle: Battle, noted: PlayerNotes) -> str:
    """Describe the first difference; empty if there is none."""
    if noted.commitment is not None and noted.commitment.strip().casefold() not in (saved.commitment, saved.handshake):
        return "neither its commitment nor its handshake matches the one noted down"
    if noted.salt is not None and noted.salt not in saved.salts.values():
        return "none of its salts matches the one given"
    if saved.broken:
        return saved.broken
    for number, digest in enumerate(saved.digests, 1):
        if battle.tick_digests.get(number) != digest:
            return f"{battle.place(number)} differs from what the committed dice give"
        if [_chosen(event) for event in battle.events if event.tick == number and event.NAME == "choice"] != list(
            saved.choices[number - 1]
        ):
            return f"the choices recorded for {battle.place(number)} are not those that were made"
    return ""


def _chosen(event: Any) -> str:
    """Format a choice as sessions record it."""
    if event.why == "too late":
        return "missed"
    return str(event.ability or event.action)


def replayed_session(path: Path) -> Battle:
    """Play a finished session again and return its battle.

    Raises:
        InputError: see `verify_session`; or it is not over, or does not verify.
    """
    verification = verify_session(path, alone=True)
    if not verification.matches:
        raise InputError.of(str(path), verification.explanation, "try fracas verify")
    if not verification.is_over:
        raise InputError.of(
            str(path), f"is not over: {verification.rounds} rounds were played", "continue it: fracas duel --resume"
        )
    return verification.battle
