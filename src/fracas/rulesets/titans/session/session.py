"""A duel between people, as a server holds it: no clock, no screen, no file. README, "Session"."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Mapping
from typing import Any

from fracas.content.validate import shown, validate
from fracas.errors import InputError
from fracas.errors.suggestions import listed
from fracas.events.digest import digest
from fracas.events.protocol import Event
from fracas.rulesets.contract.types import SESSION_FORMAT, Document, Source
from fracas.rulesets.titans.content.checks import resolve
from fracas.rulesets.titans.content.models import SessionStart
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.session.checkpoints import pack, unpack
from fracas.rulesets.titans.session.commit_reveal import commitment_of, salt_seal, seal_of, seed_text, terms_of
from fracas.rulesets.titans.session.live_duel import LiveDuel, play_kept
from fracas.rulesets.titans.session.one_at_a_time import alone
from fracas.rulesets.titans.session.salts import Salts, refuse_no_hex, refuse_no_salt
from fracas.rulesets.titans.session.session_document import MISSED, VERSION, read_session, without_policies
from fracas.rulesets.titans.session.view import told, view_of


class DuelSession:
    """A duel between people: it takes choices, resolves rounds, and shows each player what that player may see.

    Players go by their names. A player whose policy is absent is a person; others choose as their policy says. Threads
    may share a session: it lets one in at a time, and whatever is raised, a call has happened whole or not at all.

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
        server_seed: 64 lower-case hexadecimal digits that nobody can guess: `secrets.token_hex(32)`.
        deadline: how many seconds a round is given. The session reads no clock: it tells players, and lets
            `resolve(deadline_is_over=True)` be called. None: it waits for ever.

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
        self._commitment = commitment_of(server_seed, terms_of(document, deadline))
        self._duel = LiveDuel(document)
        self._salts = Salts(self._duel.names, self._duel.people)

    # What can be asked.

    @property
    def commitment(self) -> str:
        """What players are shown before anything else: it binds seed, rules, scenario, policies and deadline."""
        return self._commitment

    @property
    @alone
    def handshake(self) -> str | None:
        """The digest of the commitment and of both sealed salts; None until every person has sealed one."""
        return self._salts.handshake(self._commitment)

    @property
    def players(self) -> tuple[str, str]:
        """The names of both players."""
        return (self._duel.names[0], self._duel.names[1])

    @property
    def people(self) -> tuple[str, ...]:
        """The players who submit choices; nobody submits for the others, whose policy plays."""
        return tuple(name for name, person in zip(self._duel.names, self._duel.people, strict=True) if person)

    @property
    @alone
    def is_over(self) -> bool:
        """Whether the duel has ended."""
        return self._duel.is_over

    @property
    @alone
    def winner(self) -> str | None:
        """Who has won; None for a draw, and while nobody has."""
        return self._duel.winner

    @property
    @alone
    def reason(self) -> str | None:
        """How the duel ended, in the rules' word; None while it goes on."""
        return self._duel.reason

    @property
    @alone
    def round_number(self) -> int:
        """The round for which choices are taken, from 1; after the end the last one."""
        return self._duel.round_number

    @property
    @alone
    def locked_players(self) -> tuple[str, ...]:
        """Who has submitted for this round. Players whose policy plays are never waited for."""
        chosen = zip(self._duel.names, self._duel.pending, strict=True)
        return tuple(name for name, choice in chosen if choice is not None)

    @property
    @alone
    def digest(self) -> str:
        """blake3 over the rows of all events so far; equal digests mean the same duel, roll by roll."""
        return digest(self._duel.rows)

    @property
    @alone
    def events(self) -> list[Event]:
        """All events so far, typed."""
        return self._duel.events(self._duel.rows)

    @alone
    def legal_choices(self, player: str) -> list[str]:
        """What a player could choose in this round; nothing after the end."""
        return self._duel.legal_choices(self._duel.place_of(player))

    @alone
    def view(self, player: str, *, since: int = 0) -> Document:
        """What a player may see, as plain values: never a choice of the other's for this round, a policy or a seed.

        Args:
            player: who is to see it.
            since: how many events of the log this player has already: `roundLog` holds those that came after them. The
                next call's `since` is this view's `roundLogLength`.

        Raises:
            InputError: there is no such player, or there are not so many events.
        """
        place = self._duel.place_of(player)
        return view_of(
            without_policies(self._document),
            self._duel.record,
            place,
            {
                "roundNumber": self.round_number,
                "roundDeadline": self._deadline,
                "lockedPlayers": list(self.locked_players),
                "ownChoice": self._duel.pending[place],
                "legalChoices": self.legal_choices(player),
                "saltSeals": self._salts.by_name(self._salts.seals),
                "salts": self._salts.by_name(self._salts.both) if self._salts.both else None,
                "outcome": {"winner": self.winner, "reason": self.reason} if self.is_over else None,
                "roundLogLength": len(self._duel.rows_told(place)),
                "roundLog": self.events_since(player, since),
            },
        )

    @alone
    def events_since(self, player: str, since: int = 0) -> list[Document]:
        """The `roundLog` of `view` alone: the events that a player may see, without the first `since` of them.

        Raises:
            InputError: there is no such player, or there are not so many events.
        """
        place = self._duel.place_of(player)
        rows = self._duel.rows_told(place)
        if type(since) is not int or not 0 <= since <= len(rows):
            message = f"{shown(since)} is no number of events of this log"
            raise InputError.of("since", message, f"there are {len(rows)} so far")
        return told(self._duel.events(rows[since:]), self._duel.names[1 - place])

    @alone
    def public_document(self, player: str) -> Document:
        """The duel's document as a player may see it: without the other's policy, for telling what has happened."""
        place = self._duel.place_of(player)
        document = without_policies(self._document)
        document["players"][place]["policy"] = copy.deepcopy(self._document["players"][place]["policy"])
        return document

    # What can happen.

    @staticmethod
    def salt_seal(player: str, salt: str, nonce: str) -> str:
        """The seal of a salt, as a player's own program makes it: the salt stays hidden until it is opened.

        Args:
            player: the player's name.
            salt: the player's part of the seed: a text of at most 200 characters.
            nonce: 64 lower-case hexadecimal digits that nobody can guess: `secrets.token_hex(32)`. They are given with
                the salt when it is opened.

        Raises:
            InputError: the salt or the nonce is none.
        """
        refuse_no_salt("salt", salt)
        refuse_no_hex("nonce", nonce)
        return salt_seal(player, salt, nonce)

    @alone
    def seal_salt(self, player: str, seal: str) -> None:
        """Take the seal of a player's salt; once given it stays, and given again it is taken as the first time.

        Between two people both seal their salts before either opens one: whoever gave the second salt knowing the first
        could otherwise choose it to suit, if the server helped.

        Raises:
            InputError: no such player, one whose policy plays, no seal, or another one than before.
        """
        self._salts.seal(self._duel.person(player), seal)

    @alone
    def give_salt(self, player: str, salt: str, nonce: str | None = None) -> None:
        """Take a player's part of the seed text; once given it stays, and given again it is taken as the first time.

        Args:
            player: who gives it.
            salt: a text of at most 200 characters.
            nonce: what the salt was sealed with; None if it was not. One person against a policy need not seal it.

        Raises:
            InputError: no such player, one whose policy plays, no salt, another one than before or than was sealed; or
                of two people not both have sealed theirs.
        """
        self._salts.give(self._duel.person(player), salt, nonce)
        self._key_dice()

    @alone
    def submit(self, player: str, choice: str, *, round: int | None = None, on_behalf_of: str | None = None) -> None:
        """Take a player's choice for this round; until the round resolves another one may take its place.

        Args:
            player: who sends it, as the server knows its sender.
            choice: `attack`, `defend`, `rest` or the id of an ability.
            round: the round that the message was meant for. The same choice sent again for a round that has been played
                is taken as the first time; any other is refused, so that nothing late counts for the next round. None:
                whichever round is being played.
            on_behalf_of: whose choice the message says it is; anybody's but the sender's is refused.

        Raises:
            InputError: why it is refused; nothing is changed then.
        """
        place = self._duel.person(player)
        where = f"choice of {player}"
        if on_behalf_of not in (None, player):
            raise InputError.of(where, f"is sent in the name of {shown(on_behalf_of)}", "players choose for themselves")
        if round is not None and self._duel.has_been_taken(where, place, choice, round):
            return
        if self.is_over:
            raise InputError.of(where, f"the duel is over: {self.reason}")
        if self._document["options"]["locked"] and self._duel.pending[place] is not None:
            if self._duel.pending[place] == choice:
                return
            raise InputError.of(where, "is made already, and a choice is final here")
        self._duel.refuse_illegal(where, place, choice)
        self._duel.pending[place] = choice

    @alone
    def resolve(self, *, deadline_is_over: bool = False, round: int | None = None) -> list[Event]:
        """Play the round with what was submitted; gives its events.

        Args:
            deadline_is_over: whoever has not submitted was too late: it counts as defending, and three times in a row
                as a forfeit. No deadline runs before both salts are given.
            round: the round that is meant; any other than the one being played is refused, so that a clock that rings
                late ends no later round. None: whichever round is being played.

        Raises:
            InputError: the duel is over, it is another round, a choice or a salt is missing, or the session has no
                deadline.
            FaultError: the round ran into a limit of ours; it has not been played.
        """
        if self.is_over:
            raise InputError.of("resolve", f"the duel is over: {self.reason}")
        if round is not None and round != self.round_number:
            raise InputError.of("resolve", f"is for round {shown(round)}; round {self.round_number} is being played")
        if deadline_is_over and self._deadline is None:
            raise InputError.of("resolve", "the duel has no deadline", "begin it with one")
        if self._duel.waiting and not deadline_is_over:
            raise InputError.of("resolve", f"{listed(self._duel.waiting, 'and')} has not chosen yet")
        self._salts.refuse_missing("resolve")
        return self._duel.events(self._duel.play([choice or MISSED for choice in self._duel.pending]))

    # How it is kept.

    @alone
    def as_json(self) -> Document:
        """The session as a sealed document of plain values. It holds the server's seed: it is not for players."""
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

    @alone
    def proof(self) -> Document:
        """The same after the end, when the server's seed may be shown: what `fracas verify` checks.

        Raises:
            InputError: the duel goes on.
        """
        if not self.is_over:
            raise InputError.of("proof", "the duel goes on, and its seed decides the rounds to come")
        return self.as_json()

    @classmethod
    def resume(cls, document: Mapping[str, Any] | str | bytes | bytearray, where: str = "session") -> DuelSession:
        """A session from what `as_json` gave, or from its JSON as a text or as bytes of UTF-8: exactly as it was.

        Raises:
            InputError: it was edited, or is no session that these rules can have led to.
        """
        checked = read_session(document, where)
        session = cls.__new__(cls)
        session._open(checked.scenario, checked.server_seed, checked.deadline)
        session._salts.take_up(checked.salt_seals, checked.salts, checked.nonces)
        session._key_dice()
        play_kept(session._duel, checked, where)
        return session

    @alone
    def checkpoint(self) -> bytes:
        """The session as bytes that `from_checkpoint` takes up at once, without playing its rounds again.

        They do not hold the server's seed, but they do hold pending choices and policies: they are not for players.
        """
        kept = {key: value for key, value in self.as_json().items() if key not in ("server_seed", "seal")}
        return pack(kept, *self._duel.moment(), self._server_seed)

    @classmethod
    def from_checkpoint(cls, checkpoint: bytes, server_seed: str) -> DuelSession:
        """A session from what `checkpoint` gave, exactly as it was.

        It is stamped with the server's seed, so nobody else can have made or changed it; what is in it is not played
        again. A checkpoint belongs to the version of Fracas that made it: for keeping, write down `as_json`.

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
        """Copies and pickles are sessions taken up from what is kept."""
        return type(self).resume, (self.as_json(),)

    # The machinery.

    def _key_dice(self) -> None:
        """The dice are known once both have given their salts."""
        if self._salts.both is not None:
            self._duel.key_dice(seed_text(self._server_seed, self._salts.both))

    def __repr__(self) -> str:
        state = f"over, {self.reason}" if self.is_over else f"round {self.round_number}"
        return f"<DuelSession {self.players[0]!r} against {self.players[1]!r}: {state}>"
