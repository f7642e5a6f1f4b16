"""The public DuelSession: a duel between people, without clock, screen or files. titans/README.md, "Session"."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Mapping
from typing import Any

from fracas.content.validate import shown, validate
from fracas.errors import InputError
from fracas.errors.suggestions import listed
from fracas.events.digest import digest
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.types import SESSION_FORMAT, Document, Source
from fracas.rulesets.shared.commit_reveal import commitment_of, salt_seal, seal_of, seed_text
from fracas.rulesets.shared.salts import Salts, refuse_no_hex, refuse_no_salt
from fracas.rulesets.titans.content.checks import resolve
from fracas.rulesets.titans.content.models import SessionStart
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.session.checkpoints import pack, unpack
from fracas.rulesets.titans.session.live_duel import LiveDuel, play_saved
from fracas.rulesets.titans.session.session_document import (
    MISSED,
    VERSION,
    read_session,
    session_terms,
    without_policies,
)
from fracas.rulesets.titans.session.synchronized import synchronized
from fracas.rulesets.titans.session.view import events_seen_by, view_of


class DuelSession:
    """A duel between people: takes choices, resolves rounds, and shows each player what that player may see.

    Players are identified by name. A player without a policy is a person; a policy chooses for the others. Threads may
    share a session: it runs one call at a time, and a call that raises changes nothing.

        >>> import fracas
        >>> titan = {"generate": "any text"}
        >>> duel = {"ruleset": "titans", "players": [{"name": "Ada", "titan": titan}, {"name": "Bo", "titan": titan}]}
        >>> session = fracas.DuelSession(duel, server_seed="0" * 64)
        >>> session.seal_salt("Ada", fracas.DuelSession.salt_seal("Ada", "heads", nonce="a" * 64))
        >>> session.seal_salt("Bo", fracas.DuelSession.salt_seal("Bo", "tails", nonce="b" * 64))
        >>> session.give_salt("Ada", "heads", nonce="a" * 64)
        >>> session.give_salt("Bo", "tails", nonce="b" * 64)
        >>> session.submit("Ada", "attack", round=1)
        >>> session.submit("Bo", "defend", round=1)
        >>> events = session.resolve()
        >>> session.view("Ada")["roundNumber"]
        2

    Args:
        scenario: a scenario as a mapping, as written or resolved: `fracas.load(file).document`.
        server_seed: 64 random lower-case hexadecimal digits: `secrets.token_hex(32)`.
        deadline: seconds for each round. The session reads no clock: it shows players the deadline and allows
            `resolve(deadline_is_over=True)`. None means no limit.

    Raises:
        InputError: the scenario, the seed or the deadline is not valid.
    """

    def __init__(self, scenario: Mapping[str, Any], server_seed: str, *, deadline: int | None = None) -> None:
        given = {"server_seed": server_seed, "deadline": deadline}
        start = validate(SessionStart, given, "session")
        document = resolve(copy.deepcopy(dict(scenario)), Source("scenario"), (), {}).document
        self._open(document, start.server_seed, start.deadline)

    def _open(self, document: Document, server_seed: str, deadline: int | None) -> None:
        self._lock = threading.RLock()
        self._document = document
        self._server_seed = server_seed
        self._deadline = deadline
        self._commitment = commitment_of(server_seed, session_terms(document, deadline))
        self._duel = LiveDuel(document)
        self._salts = Salts(self._duel.names, self._duel.people)

    # Queries.

    @property
    def commitment(self) -> str:
        """The commitment to show players first: binds seed, rules, scenario, policies and deadline."""
        return self._commitment

    @property
    @synchronized
    def handshake(self) -> str | None:
        """The digest of the commitment and both salt seals; None until every person has sealed a salt."""
        return self._salts.handshake(self._commitment)

    @property
    def players(self) -> tuple[str, str]:
        """The names of both players."""
        return (self._duel.names[0], self._duel.names[1])

    @property
    def people(self) -> tuple[str, ...]:
        """The players who submit choices; policies play the others."""
        return tuple(name for name, person in zip(self._duel.names, self._duel.people, strict=True) if person)

    @property
    @synchronized
    def is_over(self) -> bool:
        """Whether the duel has ended."""
        return self._duel.is_over

    @property
    @synchronized
    def winner(self) -> str | None:
        """The winner's name; None for a draw and before the end."""
        return self._duel.winner

    @property
    @synchronized
    def reason(self) -> str | None:
        """How the duel ended, as the rule book names it; None before the end."""
        return self._duel.reason

    @property
    @synchronized
    def round_number(self) -> int:
        """The current round, from 1; after the end the last one."""
        return self._duel.round_number

    @property
    @synchronized
    def locked_players(self) -> tuple[str, ...]:
        """The people who have submitted a choice for this round."""
        chosen = zip(self._duel.names, self._duel.pending, strict=True)
        return tuple(name for name, choice in chosen if choice is not None)

    @property
    @synchronized
    def digest(self) -> str:
        """The blake3 digest of all event rows so far; equal digests mean the same duel, roll by roll."""
        return digest(self._duel.rows)

    @property
    @synchronized
    def events(self) -> list[Event]:
        """All events so far."""
        return self._duel.events(self._duel.rows)

    @synchronized
    def legal_choices(self, player: str) -> list[str]:
        """A player's legal choices in this round; empty after the end."""
        return self._duel.legal_choices(self._duel.place_of(player))

    @synchronized
    def view(self, player: str, *, since: int = 0) -> Document:
        """What a player may see, as plain values; never the other's current choice, a policy or a seed.

        Args:
            player: the player who sees it.
            since: how many events of the log the player already has; `roundLog` holds the later ones. Pass this view's
                `roundLogLength` in the next call.

        Raises:
            InputError: there is no such player, or the log has fewer events.
        """
        seat = self._duel.place_of(player)
        return view_of(
            without_policies(self._document),
            self._duel.record,
            seat,
            {
                "roundNumber": self.round_number,
                "roundDeadline": self._deadline,
                "lockedPlayers": list(self.locked_players),
                "ownChoice": self._duel.pending[seat],
                "legalChoices": self.legal_choices(player),
                "saltSeals": self._salts.by_name(self._salts.seals),
                "salts": self._salts.by_name(self._salts.both) if self._salts.both else None,
                "outcome": {"winner": self.winner, "reason": self.reason} if self.is_over else None,
                "roundLogLength": len(self._duel.rows_told(seat)),
                "roundLog": self.events_since(player, since),
            },
        )

    @synchronized
    def events_since(self, player: str, since: int = 0) -> list[Document]:
        """Only the `roundLog` of `view`: the events that a player may see, without the first `since`.

        Raises:
            InputError: there is no such player, or the log has fewer events.
        """
        seat = self._duel.place_of(player)
        rows = self._duel.rows_told(seat)
        if type(since) is not int or not 0 <= since <= len(rows):
            message = f"{shown(since)} is not a position in this log"
            raise InputError.of("since", message, f"it has {len(rows)} events so far")
        return events_seen_by(self._duel.events(rows[since:]), self._duel.names[1 - seat])

    @synchronized
    def public_document(self, player: str) -> Document:
        """The duel's document without the other player's policy, for narrating events to a player."""
        seat = self._duel.place_of(player)
        document = without_policies(self._document)
        document["players"][seat]["policy"] = copy.deepcopy(self._document["players"][seat]["policy"])
        return document

    # Actions.

    @staticmethod
    def salt_seal(player: str, salt: str, nonce: str) -> str:
        """Make the seal of a salt in the player's own program; the salt stays hidden until it is opened.

        Args:
            player: the player's name.
            salt: the player's part of the seed: a text of at most 200 characters.
            nonce: 64 random lower-case hexadecimal digits: `secrets.token_hex(32)`. Pass the same nonce with the salt
                to open it.

        Raises:
            InputError: the salt or the nonce is invalid.
        """
        refuse_no_salt("salt", salt)
        refuse_no_hex("nonce", nonce)
        return salt_seal(player, salt, nonce)

    @synchronized
    def seal_salt(self, player: str, seal: str) -> None:
        """Store the seal of a player's salt. It cannot change; giving it again has no effect.

        Two people both seal their salts before either opens one. Otherwise the second could, with the server's help,
        choose a salt to suit the first.

        Raises:
            InputError: an unknown player, a player with a policy, an invalid seal, or another seal than before.
        """
        self._salts.seal(self._duel.person(player), seal)

    @synchronized
    def give_salt(self, player: str, salt: str, nonce: str | None = None) -> None:
        """Store a player's salt, its part of the seed text. It cannot change; giving it again has no effect.

        Args:
            player: the player who gives it.
            salt: a text of at most 200 characters.
            nonce: the nonce of its seal; None if not sealed. One person against a policy need not seal it.

        Raises:
            InputError: an unknown player, a player with a policy, an invalid salt, a salt other than before or sealed,
                or one of two people has not sealed a salt yet.
        """
        self._salts.give(self._duel.person(player), salt, nonce)
        self._key_dice()

    @synchronized
    def submit(self, player: str, choice: str, *, round: int | None = None, on_behalf_of: str | None = None) -> None:
        """Store a player's choice for this round; a later one replaces it until the round resolves.

        Args:
            player: the sender, as the server has authenticated it.
            choice: `attack`, `defend`, `rest` or the id of an ability.
            round: the round that the choice is for; None means the current one. Repeating a choice of a round already
                played has no effect; any other choice for another round is refused, so a late message never counts
                for the next round.
            on_behalf_of: the player whose choice the message claims to be; refused unless it is the sender.

        Raises:
            InputError: the choice is refused; nothing has changed.
        """
        seat = self._duel.person(player)
        where = f"choice of {player}"
        if on_behalf_of not in (None, player):
            raise InputError.of(where, f"is sent on behalf of {shown(on_behalf_of)}", "players choose for themselves")
        if round is not None and self._duel.has_been_taken(where, seat, choice, round):
            return
        if self.is_over:
            raise InputError.of(where, f"the duel is over: {self.reason}")
        if self._document["options"]["locked"] and self._duel.pending[seat] is not None:
            if self._duel.pending[seat] == choice:
                return
            raise InputError.of(where, "is already made, and choices are final in this duel")
        self._duel.refuse_illegal(where, seat, choice)
        self._duel.pending[seat] = choice

    @synchronized
    def resolve(self, *, deadline_is_over: bool = False, round: int | None = None) -> list[Event]:
        """Play the round with the submitted choices and return its events.

        Args:
            deadline_is_over: players who have not submitted missed the deadline: they defend, and forfeit after three
                in a row. No deadline runs before both salts are given.
            round: the round to resolve; None means the current one. Any other is refused, so a late timer never ends a
                later round.

        Raises:
            InputError: the duel is over, the round is another, a choice or salt is missing, or the session has no
                deadline.
            FaultError: the round hit a limit of the engine; it has not been played.
        """
        if self.is_over:
            raise InputError.of("resolve", f"the duel is over: {self.reason}")
        if round is not None and round != self.round_number:
            raise InputError.of("resolve", f"is for round {shown(round)}; the current round is {self.round_number}")
        if deadline_is_over and self._deadline is None:
            raise InputError.of("resolve", "the duel has no deadline", "start the session with one")
        if self._duel.waiting and not deadline_is_over:
            raise InputError.of("resolve", f"no choice from {listed(self._duel.waiting, 'and')} yet")
        self._salts.refuse_missing("resolve")
        return self._duel.events(self._duel.play([choice or MISSED for choice in self._duel.pending]))

    # Saving and restoring.

    @synchronized
    def as_json(self) -> Document:
        """The session as a sealed document of plain values. It contains the server's seed: keep it from players."""
        document: Document = {
            "format": SESSION_FORMAT,
            "version": VERSION,
            "rules_version": codes.RULES_VERSION,
            "scenario": copy.deepcopy(self._document),
            "deadline": self._deadline,
            "server_seed": self._server_seed,
            "commitment": self._commitment,
            "salt_seals": list(self._salts.seals),
            "salts": list(self._salts.given),
            "nonces": list(self._salts.nonces),
            "rounds": [list(pair) for pair in self._duel.rounds],
            "digests": list(self._duel.digests),
            "pending": list(self._duel.pending),
        }
        return {**document, "seal": seal_of(document)}

    @synchronized
    def proof(self) -> Document:
        """The same document after the end, safe to publish: `fracas verify` checks it.

        Raises:
            InputError: the duel is not over.
        """
        if not self.is_over:
            raise InputError.of("proof", "the duel is not over, and its seed decides the remaining rounds")
        return self.as_json()

    @classmethod
    def resume(cls, document: Mapping[str, Any] | str | bytes | bytearray, where: str = "session") -> DuelSession:
        """Restore a session from the document of `as_json`, or from its JSON as text or UTF-8 bytes.

        Raises:
            InputError: it was edited, or is not a session that these rules can produce.
        """
        checked = read_session(document, where)
        session = cls.__new__(cls)
        session._open(checked.scenario, checked.server_seed, checked.deadline)
        session._salts.take_up(checked.salt_seals, checked.salts, checked.nonces)
        session._key_dice()
        play_saved(session._duel, checked, where)
        return session

    @synchronized
    def checkpoint(self) -> bytes:
        """The session as bytes that `from_checkpoint` restores at once, without replaying its rounds.

        They contain pending choices and policies, though not the server's seed: keep them from players.
        """
        fields = {key: value for key, value in self.as_json().items() if key not in ("server_seed", "seal")}
        return pack(fields, *self._duel.moment(), self._server_seed)

    @classmethod
    def from_checkpoint(cls, checkpoint: bytes, server_seed: str) -> DuelSession:
        """Restore a session from the bytes of `checkpoint`.

        The stamp is keyed with the server's seed, so nobody else can make or change a checkpoint; its rounds are not
        replayed. A checkpoint only works with the version of Fracas that made it: for long-term storage use `as_json`.

        Raises:
            InputError: it was changed, belongs to another seed, or was made by another version.
        """
        refuse_no_hex("server_seed", server_seed)
        packed = unpack(checkpoint, server_seed)
        kept = packed.kept
        session = cls.__new__(cls)
        session._open(kept["scenario"], server_seed, kept["deadline"])
        session._salts.take_up(kept["salt_seals"], kept["salts"], kept["nonces"])
        session._key_dice()
        session._duel.go_to(packed.words, packed.rows, kept)
        return session

    def __reduce__(self) -> tuple[Callable[[Document], DuelSession], tuple[Document]]:
        """Copy and pickle by way of `as_json` and `resume`."""
        return type(self).resume, (self.as_json(),)

    # Internals.

    def _key_dice(self) -> None:
        """Key the dice once both salts are given."""
        if self._salts.both is not None:
            self._duel.key_dice(seed_text(self._server_seed, self._salts.both))

    def __repr__(self) -> str:
        state = f"over, {self.reason}" if self.is_over else f"round {self.round_number}"
        return f"<DuelSession {self.players[0]!r} against {self.players[1]!r}: {state}>"
