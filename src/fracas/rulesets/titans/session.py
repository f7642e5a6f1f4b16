"""A duel between people, as a server holds it: no clock, no screen, no file. README, "Session"."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fracas.compile.seeds import key_words
from fracas.content.files import parse_json
from fracas.content.suggest import listed, nearest, quoted
from fracas.content.validate import shown, validate
from fracas.errors import FaultError, InputError
from fracas.events.digest import digest
from fracas.events.protocol import Event
from fracas.kernel.dice import seek_stream
from fracas.kernel.log import log_type
from fracas.rulesets.shapes import SESSION_FORMAT, Document, Records, Source
from fracas.rulesets.titans import constants as codes
from fracas.rulesets.titans.commitment import commitment_of, seal_of, seed_text
from fracas.rulesets.titans.compile import compile_battle
from fracas.rulesets.titans.events import PROTOCOL
from fracas.rulesets.titans.field import is_legal
from fracas.rulesets.titans.kept import MISSED, SOMEBODY, checked_session, edited
from fracas.rulesets.titans.mechanics import announce_outcome, play_round, set_up
from fracas.rulesets.titans.models import SessionFile, SessionStart
from fracas.rulesets.titans.resolve import resolve
from fracas.rulesets.titans.view import view_of

VERSION = 1
LONGEST_SALT = 200
# No single round writes so many rows.
round_log_t = log_type(1 << 12)


class DuelSession:
    """A duel between people: it takes choices, resolves rounds, and shows each player what that player may see.

    Players go by their names. A player whose policy is absent is a person; others choose as their policy says.

        >>> import fracas
        >>> titan = {"generate": "any text"}
        >>> duel = {"ruleset": "titans", "players": [{"name": "Ada", "titan": titan}, {"name": "Bo", "titan": titan}]}
        >>> session = fracas.DuelSession(duel, server_seed="0" * 64)
        >>> session.give_salt("Ada", "heads")
        >>> session.give_salt("Bo", "tails")
        >>> session.submit("Ada", "attack")
        >>> session.submit("Bo", "defend")
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
        document = resolve(copy.deepcopy(dict(scenario)), Source("scenario"), ()).document
        self._open(document, start.server_seed, start.deadline)

    def _open(self, document: Document, server_seed: str, deadline: int | None) -> None:
        self._document = document
        self._server_seed = server_seed
        self._deadline = deadline
        self._names: list[str] = [player["name"] for player in document["players"]]
        self._people = [player["policy"] == SOMEBODY for player in document["players"]]
        # Whoever is played by a policy gives no salt.
        self._salts: list[str | None] = [None if person else "" for person in self._people]
        self._rounds: list[list[str]] = []
        self._digests: list[str] = []
        self._pending: list[str | None] = [None, None]
        self._compiled = compile_battle(document, {})
        self._record: Any = self._compiled.record[0]
        self._rows: Records = np.zeros((0, 8), np.int32)
        seek_stream(self._record.dice, 0)
        self._keep(self._logged(set_up))

    # What can be asked.

    @property
    def commitment(self) -> str:
        """What the players are shown before they give salts: it binds the server to its seed and hides it."""
        return commitment_of(self._server_seed)

    @property
    def players(self) -> tuple[str, str]:
        """The names of both players."""
        return (self._names[0], self._names[1])

    @property
    def people(self) -> tuple[str, ...]:
        """The players who submit choices; nobody submits for the others, whose policy plays."""
        return tuple(name for name, person in zip(self._names, self._people, strict=True) if person)

    @property
    def is_over(self) -> bool:
        """Whether the duel has ended."""
        return int(self._record.reason) != codes.UNDECIDED

    @property
    def winner(self) -> str | None:
        """Who has won; None for a draw, and while nobody has."""
        return self._names[self._record.winner - 1] if self.is_over and self._record.winner else None

    @property
    def reason(self) -> str | None:
        """How the duel ended, in the rules' word; None while it goes on."""
        return codes.REASONS[self._record.reason] if self.is_over else None

    @property
    def round_number(self) -> int:
        """The round for which choices are taken, from 1; after the end the last one."""
        return int(self._record.tick) + (0 if self.is_over else 1)

    @property
    def locked_players(self) -> tuple[str, ...]:
        """Who has submitted for this round. Players whose policy plays are never waited for."""
        return tuple(name for name, choice in zip(self._names, self._pending, strict=True) if choice is not None)

    @property
    def digest(self) -> str:
        """blake3 over the rows of all events so far; equal digests mean the same duel, roll by roll."""
        return digest(self._rows)

    @property
    def events(self) -> list[Event]:
        """All events so far, typed."""
        return PROTOCOL.decode(self._rows, self._compiled.books)

    def legal_choices(self, player: str) -> list[str]:
        """What a player could choose in this round; nothing after the end."""
        place = self._place(player)
        if self.is_over:
            return []
        return [name for code, name in enumerate(self._choices(place)) if is_legal(self._record.titans[place], code)]

    def view(self, player: str) -> Document:
        """What a player may see, as plain values: never a choice of the other's for this round, a policy or a seed.

        Raises:
            InputError: there is no such player.
        """
        place = self._place(player)
        return view_of(
            copy.deepcopy(self._document),
            self._record,
            self.events,
            place,
            {
                "roundNumber": self.round_number,
                "roundDeadline": self._deadline,
                "lockedPlayers": list(self.locked_players),
                "ownChoice": self._pending[place],
                "legalChoices": self.legal_choices(player),
                "salts": None if None in self._salts else dict(zip(self._names, self._salts, strict=True)),
                "outcome": {"winner": self.winner, "reason": self.reason} if self.is_over else None,
            },
        )

    def public_document(self, player: str) -> Document:
        """The duel's document as a player may see it: without the other's policy, for telling what has happened."""
        place = self._place(player)
        document = copy.deepcopy(self._document)
        document["players"][1 - place]["policy"] = copy.deepcopy(SOMEBODY)
        return document

    # What can happen.

    def give_salt(self, player: str, salt: str) -> None:
        """Take a player's part of the seed text; once given it stays.

        Raises:
            InputError: no such player, one whose policy plays, a salt that was given already, or one that is no text
                of at most 200 characters.
        """
        place = self._person(player)
        where = f"salts.{player}"
        if not _is_salt(salt):
            raise InputError.of(where, f"{shown(salt)} is no text of at most 200 characters")
        if self._salts[place] is not None:
            raise InputError.of(where, "was given already and stays as it is")
        self._salts[place] = salt
        self._key_dice()

    def submit(self, player: str, choice: str, *, on_behalf_of: str | None = None) -> None:
        """Take a player's choice for this round; until the round resolves another one may take its place.

        Args:
            player: who sends it, as the server knows its sender.
            choice: `attack`, `defend`, `rest` or the id of an ability.
            on_behalf_of: whose choice the message says it is; anybody's but the sender's is refused.

        Raises:
            InputError: why it is refused; nothing is changed then.
        """
        place = self._person(player)
        where = f"choice of {player}"
        if on_behalf_of not in (None, player):
            raise InputError.of(where, f"is sent in the name of {shown(on_behalf_of)}", "players choose for themselves")
        if self.is_over:
            raise InputError.of(where, f"the duel is over: {self.reason}")
        if self._document["options"]["locked"] and self._pending[place] is not None:
            raise InputError.of(where, "is made already, and a choice is final here")
        self._refuse_illegal(where, place, choice)
        self._pending[place] = choice

    def resolve(self, *, deadline_is_over: bool = False) -> list[Event]:
        """Play the round with what was submitted; gives its events.

        Args:
            deadline_is_over: whoever has not submitted was too late: it counts as defending, and three times in a row
                as a forfeit. A salt that is missing then is the empty text.

        Raises:
            InputError: the duel is over, a choice or a salt is missing, or the session has no deadline.
            FaultError: the round ran into a limit of ours.
        """
        if self.is_over:
            raise InputError.of("resolve", f"the duel is over: {self.reason}")
        if deadline_is_over and self._deadline is None:
            raise InputError.of("resolve", "the duel has no deadline", "begin it with one")
        self._refuse_incomplete(deadline_is_over)
        if None in self._salts:
            self._salts = [salt or "" for salt in self._salts]
            self._key_dice()
        rows = self._played([choice or MISSED for choice in self._pending])
        self._pending = [None, None]
        return PROTOCOL.decode(rows, self._compiled.books)

    # How it is kept.

    def as_json(self) -> Document:
        """The session as a sealed document of plain values. It holds the server's seed: it is not for players."""
        document: Document = {
            "format": SESSION_FORMAT,
            "version": VERSION,
            "rules_version": codes.RULES_VERSION,
            "scenario": copy.deepcopy(self._document),
            "deadline": self._deadline,
            "server_seed": self._server_seed,
            "commitment": self.commitment,
            "salts": list(self._salts),
            "rounds": [list(pair) for pair in self._rounds],
            "digests": list(self._digests),
            "pending": list(self._pending),
        }
        return {**document, "seal": seal_of(document)}

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
        if isinstance(document, bytes | bytearray):
            try:
                document = document.decode("utf-8-sig")
            except UnicodeDecodeError:
                raise InputError.of(where, "is not UTF-8 text", "give the JSON of a session") from None
        if not isinstance(document, str | Mapping):
            raise InputError.of(
                where, f"{shown(document)} is no session", "give a mapping, or its JSON as text or bytes"
            )
        found = parse_json(document, where) if isinstance(document, str) else dict(document)
        if not isinstance(found, dict) or found.get("format") != SESSION_FORMAT:
            raise InputError.of(where, "is no duel session")
        checked = checked_session(found, where)
        session = cls.__new__(cls)
        session._open(checked.scenario, checked.server_seed, checked.deadline)
        session._take_up(checked, where)
        return session

    def _take_up(self, kept: SessionFile, where: str) -> None:
        """Play a kept session again up to where it was."""
        if commitment_of(kept.server_seed) != kept.commitment:
            raise edited(f"{where}: commitment", "it is not that of the server's seed")
        for place, salt in enumerate(kept.salts):
            if not self._people[place] and salt != "":
                raise edited(f"{where}: salts.{place}", "the salt of a player whose policy plays is the empty text")
        self._salts = list(kept.salts)
        self._key_dice()
        if kept.rounds and None in self._salts:
            raise edited(f"{where}: salts", "rounds were played before both salts were given")
        if len(kept.digests) != len(kept.rounds):
            raise edited(f"{where}: digests", "there is one for each round")
        for number, (pair, noted) in enumerate(zip(kept.rounds, kept.digests, strict=True)):
            self._replay(f"{where}: rounds.{number}", pair, noted)
        for place, choice in enumerate(kept.pending):
            if choice is not None:
                path = f"{where}: pending.{place}"
                if self.is_over or not self._people[place]:
                    raise edited(path, "nobody is waited for")
                self._refuse_illegal(path, place, choice)
                self._pending[place] = choice

    def _replay(self, where: str, pair: Sequence[str], noted: str) -> None:
        if self.is_over:
            raise edited(where, "the duel was over before")
        for place, choice in enumerate(pair):
            if self._people[place] and choice != MISSED:
                self._refuse_illegal(f"{where}.{place}", place, choice)
            if choice == MISSED and self._deadline is None:
                raise edited(f"{where}.{place}", "nobody can be too late in a session without a deadline")
        self._played(list(pair))
        if self._rounds[-1] != list(pair):
            raise edited(where, f"the policies choose {listed(self._rounds[-1], 'and')}")
        if self._digests[-1] != noted:
            raise edited(where, "the events are others than those noted")

    # The machinery.

    def _place(self, player: Any) -> int:
        if player not in self._names:
            hint = nearest(player, self._names) if isinstance(player, str) else None
            known = f"it is between {listed([quoted(name) for name in self._names], 'and')}"
            raise InputError.of("player", f"there is no player {shown(player)} in this duel", hint or known)
        return self._names.index(player)

    def _person(self, player: Any) -> int:
        place = self._place(player)
        if not self._people[place]:
            raise InputError.of("player", f"{quoted(player)} is played by its policy")
        return place

    def _choices(self, place: int) -> list[str]:
        """A player's choices by their codes."""
        return [*codes.ACTIONS[: codes.FIRST_ABILITY], *self._document["players"][place]["titan"]["abilities"]]

    def _refuse_illegal(self, where: str, place: int, choice: Any) -> None:
        own = self._choices(place)
        titan = self._record.titans[place]
        if not isinstance(choice, str) or choice not in own:
            if isinstance(choice, str) and choice in self._document["abilities"]:
                owned = listed([quoted(name) for name in own[codes.FIRST_ABILITY :]], "and")
                raise InputError.of(where, f"the titan does not have the ability {quoted(choice)}", f"it has {owned}")
            hint = (nearest(choice, own) if isinstance(choice, str) else None) or f"it can choose {listed(own)}"
            raise InputError.of(where, f"there is no action or ability {shown(choice)}", hint)
        if not is_legal(titan, own.index(choice)):
            cost = self._document["abilities"][choice]["cost"]
            raise InputError.of(where, f"{quoted(choice)} costs {cost} charge, and the titan has {titan.charge}")

    def _refuse_incomplete(self, deadline_is_over: bool) -> None:
        if deadline_is_over:
            return
        waiting = [
            name
            for name, person, choice in zip(self._names, self._people, self._pending, strict=True)
            if person and choice is None
        ]
        if waiting:
            raise InputError.of("resolve", f"{listed(waiting, 'and')} has not chosen yet")
        if None in self._salts:
            missing = [name for name, salt in zip(self._names, self._salts, strict=True) if salt is None]
            hint = "the empty text is a salt too"
            raise InputError.of("resolve", f"{listed(missing, 'and')} has given no salt yet", hint)

    def _key_dice(self) -> None:
        """The dice are known once both have given their salts."""
        first, second = self._salts
        if first is not None and second is not None:
            self._record.dice.key[:] = key_words(seed_text(self._server_seed, (first, second)))
            seek_stream(self._record.dice, 0)

    def _played(self, choices: list[str]) -> Records:
        """Play a round with these choices of the people's; policies choose for themselves."""
        for place, choice in enumerate(choices):
            if self._people[place]:
                policy = self._record.policies[place]
                policy.choices[policy.choice_count] = (
                    codes.MISSED if choice == MISSED else self._choices(place).index(choice)
                )
                policy.choice_count += 1
        rows = self._logged(_round_and_outcome)
        self._rounds.append(
            [
                choice if self._people[place] else self._choices(place)[self._record.titans[place].choice]
                for place, choice in enumerate(choices)
            ]
        )
        self._digests.append(digest(rows))
        self._keep(rows)
        return rows

    def _logged(self, rule: Any) -> Records:
        logs = np.zeros(1, round_log_t)
        rule(self._record, logs[0])
        if logs[0].fault or self._record.dice.exhausted:
            raise FaultError(f"round {self._record.tick} ran into a limit of the log or of the dice")
        return np.array(logs[0].rows[: logs[0].count])

    def _keep(self, rows: Records) -> None:
        self._rows = np.concatenate([self._rows, rows])

    def __repr__(self) -> str:
        state = f"over, {self.reason}" if self.is_over else f"round {self.round_number}"
        return f"<DuelSession {self._names[0]!r} against {self._names[1]!r}: {state}>"


def _round_and_outcome(record: Any, log: Any) -> None:
    play_round(record, log)
    if record.reason != codes.UNDECIDED:
        announce_outcome(record, log)


def _is_salt(salt: Any) -> bool:
    """Whether it is a text of at most 200 characters that can be written down."""
    if not isinstance(salt, str) or len(salt) > LONGEST_SALT:
        return False
    try:
        salt.encode()
    except UnicodeEncodeError:
        return False
    return True
