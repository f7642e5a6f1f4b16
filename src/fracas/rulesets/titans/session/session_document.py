"""Read saved sessions: check that a document is intact, and turn it into a replayable duel.

titans/README.md, "Session".
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from fracas.content.validate import shown, validate
from fracas.errors import InputError
from fracas.errors.suggestions import listed, quoted
from fracas.files.read import parse_json, refuse_unfit
from fracas.rulesets.contract.releases import other_rules_hint
from fracas.rulesets.contract.types import SESSION_FORMAT, Document, SavedSession, Source
from fracas.rulesets.shared.commit_reveal import (
    commitment_of,
    handshake_of,
    policy_of,
    salt_seal,
    seal_of,
    seed_text,
    terms_of,
)
from fracas.rulesets.titans.content.checks import resolve
from fracas.rulesets.titans.content.models import SessionFile
from fracas.rulesets.titans.rules import constants as codes

VERSION = 2
MISSED = "missed"
# The policy of a person.
SOMEBODY: Document = {"choices": []}


def read_session(document: Mapping[str, Any] | str | bytes | bytearray, where: str) -> SessionFile:
    """Read a saved session from plain values, or from its JSON as text or UTF-8 bytes.

    Raises:
        InputError: it is not a session, was made by other rules, or was edited.
    """
    if isinstance(document, bytes | bytearray):
        try:
            document = document.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError.of(where, "is not UTF-8 text", "pass the JSON of a session") from None
    if isinstance(document, str):
        found = parse_json(document, where)
    elif isinstance(document, Mapping):
        found = dict(document)
        refuse_unfit(found, where)
    else:
        raise InputError.of(
            where, f"{shown(document)} is not a session", "pass a mapping, or its JSON as text or bytes"
        )
    if not isinstance(found, dict) or found.get("format") != SESSION_FORMAT:
        raise InputError.of(where, "is not a duel session")
    saved = checked_session(found, where)
    broken = broken_promise(saved)
    if broken:
        raise edited(where, broken)
    return saved


def checked_session(document: Document, where: str) -> SessionFile:
    """Check a session's document and its seal.

    Raises:
        InputError: it is not a session, was made by other rules, or was edited.
    """
    hint = "check it with the version of Fracas that played it"
    version = document.get("version")
    if type(version) is int and version != VERSION:
        raise InputError.of(where, f"has format version {version} of duel sessions; this program reads {VERSION}", hint)
    saved = validate(SessionFile, document, where)
    if saved.rules_version != codes.RULES_VERSION:
        message = f"was made with version {saved.rules_version} of the titans rules"
        hint = other_rules_hint("titans", saved.rules_version, codes.RULES_VERSION)
        raise InputError.of(where, f"{message}; version {codes.RULES_VERSION} is installed", hint)
    if seal_of(document) != saved.seal:
        raise edited(where, "its seal does not match")
    resolved = resolve(copy.deepcopy(saved.scenario), Source(f"{where}: scenario"), (), {}).document
    if resolved != saved.scenario:
        raise edited(f"{where}: scenario", "it is not resolved")
    return saved.model_copy(update={"scenario": resolved})


def saved_session(document: Document, where: str) -> SavedSession:
    """Turn a session's document into a battle that can be replayed.

    Raises:
        InputError: it was edited, or is not a session.
    """
    saved = checked_session(document, where)
    scenario = copy.deepcopy(saved.scenario)
    first, second = (salt or "" for salt in saved.salts)
    scenario["seed"] = seed_text(saved.server_seed, (first, second))
    for seat, player in enumerate(scenario["players"]):
        if player["policy"] == SOMEBODY:
            player["policy"] = {"choices": [pair[seat] for pair in saved.rounds]}
    names = [player["name"] for player in scenario["players"]]
    return SavedSession(
        scenario=scenario,
        commitment=saved.commitment,
        handshake=handshake_of(saved.commitment, saved.salt_seals) if is_sealed(saved) else None,
        broken=broken_promise(saved),
        salts=dict(zip(names, saved.salts, strict=True)),
        choices=saved.rounds,
        digests=saved.digests,
    )


def without_policies(scenario: Document) -> Document:
    """A copy of a resolved duel without policies."""
    players = [{**player, "policy": SOMEBODY} for player in scenario["players"]]
    return copy.deepcopy({**scenario, "players": players})


def session_terms(document: Document, deadline: int | None) -> str:
    """The digest of everything apart from dice that decides a duel: rules, resolved document, policies, deadline."""
    players = [{**player, "policy": policy_of(player["policy"])} for player in document["players"]]
    scenario = {**document, "players": players}
    return terms_of({"rules_version": codes.RULES_VERSION, "scenario": scenario, "deadline": deadline})


def people_in(scenario: Document) -> list[bool]:
    """Whether each player is a person."""
    return [player["policy"] == SOMEBODY for player in scenario["players"]]


def is_sealed(saved: SessionFile) -> bool:
    """Whether every person has sealed a salt."""
    return all(
        seal is not None for person, seal in zip(people_in(saved.scenario), saved.salt_seals, strict=True) if person
    )


def broken_promise(saved: SessionFile) -> str:
    """The promise from before the first round that was broken, in a sentence; empty if none."""
    if commitment_of(saved.server_seed, session_terms(saved.scenario, saved.deadline)) != saved.commitment:
        return "the commitment does not match the server's seed, scenario, policies and deadline"
    people = people_in(saved.scenario)
    names = [player["name"] for player in saved.scenario["players"]]
    given = list(zip(names, people, saved.salt_seals, saved.salts, saved.nonces, strict=True))
    unsealed = [name for name, person, seal, salt, _ in given if person and seal is None and salt is not None]
    if unsealed and all(people):
        return f"the salt of {listed([quoted(name) for name in unsealed], 'and')} was given without a seal"
    for name, person, seal, salt, nonce in given:
        if not person and (seal, salt, nonce) != (None, "", None):
            return f"the salt of {quoted(name)}, whose policy plays, is not the empty text"
        if seal is not None and salt is not None and salt_seal(name, salt, nonce or "") != seal:
            return f"the salt of {quoted(name)} does not match its seal"
    if saved.rounds and None in saved.salts:
        return "rounds were played before both salts were given"
    return ""


def edited(where: str, reason: str) -> InputError:
    """The error for a session that was edited."""
    return InputError.of(where, f"{reason}: the session was edited")
