"""Kept sessions: whether a document is one, whole and unedited, and the duel that it stands for. README, "Session"."""

from __future__ import annotations

import copy

from fracas.content.validate import validate
from fracas.errors import InputError
from fracas.rulesets.shapes import Document, KeptSession, Source
from fracas.rulesets.titans import constants as codes
from fracas.rulesets.titans.commitment import commitment_of, seal_of, seed_text
from fracas.rulesets.titans.models import SessionFile
from fracas.rulesets.titans.resolve import resolve

MISSED = "missed"
# A person's policy: somebody is to play.
SOMEBODY: Document = {"choices": []}


def checked_session(document: Document, where: str) -> SessionFile:
    """A session's document whose seal is whole.

    Raises:
        InputError: it is no session, was made by other rules, or was edited.
    """
    kept = validate(SessionFile, document, where)
    if kept.rules_version != codes.RULES_VERSION:
        message = f"was made with version {kept.rules_version} of the rules of titans"
        raise InputError.of(where, f"{message}; installed is {codes.RULES_VERSION}")
    if seal_of(document) != kept.seal:
        raise edited(where, "its seal does not fit the rest")
    if resolve(copy.deepcopy(kept.scenario), Source(f"{where}: scenario"), ()).document != kept.scenario:
        raise edited(f"{where}: scenario", "it is not resolved")
    return kept


def kept_session(document: Document, where: str) -> KeptSession:
    """A session's document, whose seal is whole, as a battle that can be played again.

    Raises:
        InputError: it was edited, or is no session.
    """
    kept = checked_session(document, where)
    scenario = copy.deepcopy(kept.scenario)
    first, second = (salt or "" for salt in kept.salts)
    scenario["seed"] = seed_text(kept.server_seed, (first, second))
    for place, player in enumerate(scenario["players"]):
        if player["policy"] == SOMEBODY:
            player["policy"] = {"choices": [pair[place] for pair in kept.rounds]}
    names = [player["name"] for player in scenario["players"]]
    return KeptSession(
        scenario=scenario,
        commitment=kept.commitment,
        is_commitments_seed=commitment_of(kept.server_seed) == kept.commitment,
        salts=dict(zip(names, kept.salts, strict=True)),
        choices=kept.rounds,
        digests=kept.digests,
    )


def edited(where: str, reason: str) -> InputError:
    """The error for a session that was changed by other hands."""
    return InputError.of(where, f"{reason}: the session was edited")
