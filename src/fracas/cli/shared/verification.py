"""Format the result of a verification as text or JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fracas.errors.suggestions import quoted

if TYPE_CHECKING:
    from fracas.replay.session_file import SessionVerification
    from fracas.replay.table_file import TableVerification
    from fracas.replay.verify import Verification
    from fracas.rulesets.contract.types import SavedSession


def render(verification: Verification | SessionVerification | TableVerification) -> list[str]:
    """A verification as lines of text."""
    from fracas.replay.table_file import TableVerification
    from fracas.replay.verify import Verification

    if isinstance(verification, TableVerification):
        return render_table(verification)
    if not isinstance(verification, Verification):
        return render_session(verification)
    battle = verification.battle
    if verification.matches:
        assert battle.rows is not None
        if verification.other_rules is not None:
            return [f"{verification.file}: plays the same under other rules ({verification.other_rules})"]
        return [f"{verification.file}: verified, {len(battle.rows):,} events, digest {battle.digest}"]
    at = f" in {battle.place(verification.tick)}" if verification.tick is not None else ""
    under = "" if verification.other_rules is None else f" under other rules ({verification.other_rules})"
    return [
        f"{verification.file}: DIFFERS{at}{under}: {verification.explanation}",
        f"  stored: {json.dumps(verification.stored, ensure_ascii=False)}",
        f"  played: {json.dumps(verification.played, ensure_ascii=False)}",
    ]


def render_session(verification: SessionVerification) -> list[str]:
    """A duel session's verification as lines of text."""
    if not verification.matches:
        return [f"{verification.file}: DIFFERS: {verification.explanation}"]
    battle, saved = verification.battle, verification.saved
    salts = ", ".join(f"{name} {quoted(salt or '')}" for name, salt in saved.salts.items())
    noted = (verification.compared.commitment or "").strip().casefold()
    shown = ", as you were shown" if noted else "; compare it with the one you were shown"
    given = "; check that yours is the one you gave" if verification.compared.salt is None else ", including yours"
    names = battle.scenario.ruleset.side_names(battle.scenario.document)
    ended = f"{names[battle.winner - 1]} wins ({battle.reason})" if battle.winner else f"a draw ({battle.reason})"
    return [
        f"{verification.file}: verified, {verification.rounds} rounds, "
        + (f"{ended}, digest {battle.digest}" if verification.is_over else "not over yet"),
        f"  commitment {saved.commitment}: binds this duel, its policies and the seed of every roll"
        + ("" if noted and noted == saved.handshake else shown),
        *(
            [f"  handshake {saved.handshake}: also binds the sealed salts{_comparison_note(saved, noted)}"]
            if saved.handshake
            else ()
        ),
        f"  salts: {salts}{given}",
        "  who played is not bound: only proofs of a server's tables hold accounts and the table",
    ]


def render_table(verification: TableVerification) -> list[str]:
    """The verification of a table's proof as lines of text."""
    if not verification.matches:
        return [f"{verification.file}: DIFFERS: {verification.explanation}"]
    proof, names = verification.proof, verification.scenario.ruleset.side_names(verification.scenario.document)
    result = proof.result
    ended = f"{names[result.winner - 1]} wins ({result.reason})" if result.winner else f"nobody wins ({result.reason})"
    noted = (verification.compared.commitment or "").strip().casefold()
    shown = "as you were shown" if noted else "compare it with the one you were shown"
    given = "; check that yours is the one you gave" if verification.compared.salt is None else ", including yours"
    salts = ", ".join(f"{name} {quoted(salt or '')}" for name, salt in zip(names, proof.salts, strict=True))
    missed = len(proof.missed)
    return [
        f"{verification.file}: verified, {len(proof.decisions)} decisions, {ended}, digest {proof.digest}",
        f"  commitment {proof.commitment}: binds the table, both accounts, the rules and the seed of every roll"
        + ("" if noted == proof.handshake else f"; {shown}"),
        f"  handshake {proof.handshake}: also binds the sealed salts"
        + (f", {shown}" if noted == proof.handshake else "; compare it with the one you were shown"),
        f"  salts: {salts}{given}",
        *(
            [f"  {missed} decision{'s' if missed != 1 else ''} by default: the server says that somebody was late"]
            * bool(missed)
        ),
        *(["  the rules did not decide it: the server says how it ended"] * (not result.decided)),
    ]


def table_json(verification: TableVerification) -> dict[str, Any]:
    """The verification of a table's proof as plain values."""
    proof = verification.proof
    return {
        "file": verification.file,
        "matches": verification.matches,
        "explanation": verification.explanation,
        "commitment": proof.commitment,
        "handshake": proof.handshake,
        "salts": list(proof.salts),
        "decisions": len(proof.decisions),
        "missed": [list(each) for each in proof.missed],
        "winner": proof.result.winner,
        "reason": proof.result.reason,
        "digest": proof.digest,
    }


def _comparison_note(saved: SavedSession, noted: str) -> str:
    return ", as you were shown" if noted == saved.handshake else "; compare it with the one you were shown"


def session_json(verification: SessionVerification) -> dict[str, Any]:
    """A duel session's verification as plain values."""
    saved = verification.saved
    return {
        "file": verification.file,
        "matches": verification.matches,
        "explanation": verification.explanation,
        "commitment": saved.commitment,
        "handshake": saved.handshake,
        "salts": dict(saved.salts),
        "rounds": verification.rounds,
        "is_over": verification.is_over,
        "digest": verification.battle.digest if verification.is_over else None,
    }


def as_json(verification: Verification | SessionVerification | TableVerification) -> dict[str, Any]:
    """A verification as plain values."""
    from fracas.replay.table_file import TableVerification
    from fracas.replay.verify import Verification

    if isinstance(verification, TableVerification):
        return table_json(verification)
    if not isinstance(verification, Verification):
        return session_json(verification)
    document: dict[str, Any] = {"file": verification.file, "matches": verification.matches}
    if verification.other_rules is not None:
        document["other_rules"] = {"here": verification.other_rules.here, "file": verification.other_rules.saved}
    if not verification.matches:
        document |= {
            "tick": verification.tick,
            "stored": verification.stored,
            "played": verification.played,
            "explanation": verification.explanation,
        }
    return document | {"digest": verification.battle.digest}
