"""Proofs of tables: what was played live on a server, with everything that bound its dice.

docs/reference/table-files.md describes the file.

Before anybody gives a part of the seed the server shows the commitment, which binds the server's seed and the terms:
the rules, the resolved scenario, the table, both accounts, the bots' digests and the seconds for each decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from fracas.engine.battle import Battle, play_battle
from fracas.engine.decided_battle import PlayedDecisions, decided_battle, play_decisions
from fracas.engine.replay_file import LARGEST_REPLAY, DecisionRow, Decisions, format_of, problem_in
from fracas.engine.scenario import Scenario, compile_document
from fracas.errors import InputError
from fracas.events.digest import digest
from fracas.files.read import FileLike, parse_json, read_text
from fracas.kit.load import short
from fracas.replay.session_file import NOTHING_NOTED, PlayerNotes
from fracas.rulesets import registry
from fracas.rulesets.contract.releases import other_rules_hint
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Document
from fracas.rulesets.shared.commit_reveal import (
    commitment_of,
    handshake_of,
    policy_of,
    salt_seal,
    seal_of,
    seed_text,
    terms_of,
)

TABLE_FORMAT = "fracas table"
TABLE_VERSION = 1
BOTH = (1, 2)

Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Side = Annotated[int, Meta(ge=1, le=2)]


class TableGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose rules were played."""

    name: str
    version: int
    rules: str
    """The rules hash of a game made with the kit; empty for other rulesets, whose version tells."""

    @classmethod
    def of(cls, ruleset: Ruleset) -> TableGame:
        """The rules of a ruleset."""
        return cls(ruleset.name, ruleset.rules_version, ruleset.rules_hash or "")


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sat at a side."""

    account: str
    """The account's id, never its name; empty for a bot."""
    bot: str | None = None
    """The digest of the bot that played."""


class TableResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it ended."""

    winner: Annotated[int, Meta(ge=0, le=2)]
    """0 for nobody."""
    reason: str
    decided: bool
    """Whether the rules decided it; else somebody left, or missed too much, and the table ended it."""


class TableProof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file."""

    format: str
    version: int
    game: TableGame
    scenario: Document
    table: str
    seats: Annotated[list[Seat], Meta(min_length=2, max_length=2)]
    seconds: int
    server_seed: Hex
    commitment: Hex
    salt_seals: Annotated[list[str | None], Meta(min_length=2, max_length=2)]
    salts: Annotated[list[str | None], Meta(min_length=2, max_length=2)]
    nonces: Annotated[list[str | None], Meta(min_length=2, max_length=2)]
    decisions: list[DecisionRow]
    missed: list[tuple[int, Side]]
    """Steps at which a side did not choose in time, so that the game's default counted."""
    result: TableResult
    digest: Hex
    seal: str = ""

    @property
    def terms(self) -> str:
        """The digest of everything apart from dice that decides it."""
        return table_terms(self.game, self.scenario, self.table, self.seats, self.seconds)

    @property
    def handshake(self) -> str:
        """The digest that binds the sealed salts as well."""
        return handshake_of(self.commitment, self.salt_seals)

    def sealed(self) -> Document:
        """The file's document, sealed."""
        document: Document = {key: value for key, value in msgspec.to_builtins(self).items() if key != "seal"}
        return {**document, "seal": seal_of(document)}


def table_terms(game: TableGame, scenario: Document, table: str, seats: Sequence[Seat], seconds: int) -> str:
    """The digest of everything apart from dice that decides what is played at a table."""
    return terms_of(
        {
            "game": msgspec.to_builtins(game),
            "scenario": scenario,
            "table": table,
            "seats": msgspec.to_builtins(list(seats)),
            "seconds": seconds,
        }
    )


def bot_digest(name: str, trained: str) -> str:
    """The digest of a bot: its name, and the hash of its trained policy, if it has one."""
    return policy_of({"bot": name, "trained": trained})


def table_salt_seal(seat: int, salt: str, nonce: str) -> str:
    """The seal of a salt of the side 1 or 2."""
    return salt_seal(str(seat), salt, nonce)


def table_seed(server_seed: str, salts: Sequence[str | None]) -> str:
    """The seed text; bots give the empty salt."""
    return seed_text(server_seed, (salts[0] or "", salts[1] or ""))


@dataclass(frozen=True)
class TableVerification:
    """The result of verifying a table's proof."""

    file: str
    proof: TableProof
    scenario: Scenario
    explanation: str = ""
    """The first thing that is not as promised, as a sentence; empty if there is none."""
    compared: PlayerNotes = NOTHING_NOTED

    @property
    def matches(self) -> bool:
        """Whether everything is as promised."""
        return not self.explanation


def is_table(document: Any) -> bool:
    """Whether a document, which need not be valid, is a table's proof."""
    return isinstance(document, dict) and document.get("format") == TABLE_FORMAT


def holds_table(path: FileLike) -> bool:
    """Whether a file is a table's proof; False if it cannot be read."""
    return format_of(path) == TABLE_FORMAT


def verify_table(path: FileLike, noted: PlayerNotes = NOTHING_NOTED) -> TableVerification:
    """Verify a table's proof: seed and terms against the commitment, salts against their seals, and play it again.

    Raises:
        InputError: the file is unreadable, was edited, is no proof, or was made by other rules.
    """
    where = str(path)
    return verify_proof(parse_json(read_text(path, LARGEST_REPLAY), where), where, noted)


def verify_proof(document: Any, where: str, noted: PlayerNotes = NOTHING_NOTED) -> TableVerification:
    """Verify the document of a proof; see `verify_table`."""
    proof = read_proof(document, where)
    try:
        scenario = compile_document(proof.scenario, {}).with_seed(table_seed(proof.server_seed, proof.salts))
    except InputError as error:
        raise InputError([problem_in(where, problem) for problem in error.problems]) from None
    return TableVerification(where, proof, scenario, _difference(proof, scenario, noted), noted)


def read_proof(document: Any, where: str) -> TableProof:
    """Read a proof's document.

    Raises:
        InputError: it is none, was edited, or was made by other rules.
    """
    if not is_table(document):
        raise InputError.of(where, "is not the proof of a table")
    if document.get("version") != TABLE_VERSION:
        message = f"has version {document.get('version')!r} of tables' proofs; this program reads {TABLE_VERSION}"
        raise InputError.of(where, message, "check it with the version of Fracas that played it")
    try:
        proof = msgspec.convert(document, TableProof)
    except msgspec.ValidationError as error:
        raise InputError.of(where, f"is not a valid proof: {error}") from None
    if seal_of(document) != proof.seal:
        raise InputError.of(where, "its seal does not match: the proof was edited")
    ruleset = registry.get(proof.game.name, f"{where}: game.name")
    here = TableGame.of(ruleset)
    if here.version != proof.game.version:
        hint = other_rules_hint(here.name, proof.game.version, here.version)
        message = f"was made with version {proof.game.version} of the {here.name} rules; {here.version} is installed"
        raise InputError.of(where, message, hint)
    if here.rules != proof.game.rules:
        message = f"was made with other rules of {here.name}: {short(proof.game.rules)}, not {short(here.rules)}"
        raise InputError.of(where, message, "name the game's file as it was then with --game FILE")
    if proof.scenario.get("ruleset") != proof.game.name:
        raise InputError.of(f"{where}: scenario.ruleset", f"is not {proof.game.name}")
    return proof


def play_proof(proof: TableProof, scenario: Scenario) -> PlayedDecisions:
    """Play what a proof holds, up to its last decision."""
    return play_decisions(scenario, 0, Decisions(list(BOTH), proof.decisions))


def open_battle(proof: TableProof) -> Battle | None:
    """The battle of a proof as one that a bundle can hold, up to its last decision.

    None where the scenario holds what was chosen, and the rules did not decide it: they would play on.

    Raises:
        InputError: nobody chooses in battles of these rules, or a decision is not legal.
    """
    tables, seed = registry.get(proof.game.name).tables, table_seed(proof.server_seed, proof.salts)
    document = None if tables is None else tables.with_choices(proof.scenario, proof.decisions)
    if document is None:
        scenario = compile_document(proof.scenario, {}).with_seed(seed)
        made = Decisions(list(BOTH), proof.decisions)
        return decided_battle(scenario, 0, made, "proof", is_whole=proof.result.decided)
    if not proof.result.decided:
        return None
    return play_battle(compile_document({**document, "seed": seed}, {}), alone=True)


def _difference(proof: TableProof, scenario: Scenario, noted: PlayerNotes) -> str:
    """Describe the first thing that is not as promised; empty if there is none."""
    note = None if noted.commitment is None else noted.commitment.strip().casefold()
    if note is not None and note not in (proof.commitment, proof.handshake):
        return "neither its commitment nor its handshake matches the one noted down"
    if noted.salt is not None and noted.salt not in proof.salts:
        return "none of its salts matches the one given"
    if commitment_of(proof.server_seed, proof.terms) != proof.commitment:
        return "the commitment does not match the server's seed, the game, the scenario, the accounts and the table"
    for side, seat in enumerate(proof.seats):
        seal, salt, nonce = proof.salt_seals[side], proof.salts[side], proof.nonces[side]
        if seat.bot is not None:
            if (seal, salt, nonce) != (None, "", None):
                return f"the salt of side {side + 1}, which a bot plays, is not the empty text"
        elif seal is None or salt is None or nonce is None:
            if proof.decisions:
                return f"side {side + 1} chose before its salt was open"
        elif table_salt_seal(side + 1, salt, nonce) != seal:
            return f"the salt of side {side + 1} does not match its seal"
    played = play_proof(proof, scenario)
    if played.used != len(proof.decisions):
        return f"decision {played.used + 1} is not one that could be made"
    if digest(played.rows) != proof.digest:
        return "its events differ from what the committed dice give"
    ended = played.result is not None
    if ended != proof.result.decided:
        return "the rules did not decide it as it says" if proof.result.decided else "the rules had decided it before"
    if ended:
        reason = scenario.ruleset.reasons[int(played.result["reason"])]
        if (int(played.result["winner"]), reason) != (proof.result.winner, proof.result.reason):
            return f"it ended otherwise: winner {int(played.result['winner'])}, {reason}"
    return ""
