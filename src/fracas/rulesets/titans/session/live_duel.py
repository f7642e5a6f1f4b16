"""Play a duel round by round as choices arrive. titans/README.md, "Session"; the rules are in mechanics.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fracas.content.validate import shown
from fracas.errors import FaultError, InputError
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.events.digest import digest
from fracas.kernel.dice import seek_stream
from fracas.kernel.event_log import log_type
from fracas.kernel.event_protocol import Event
from fracas.kernel.snapshots import as_words, mutable_spans, restore, save_snapshot
from fracas.rulesets.contract.types import Document, Rows
from fracas.rulesets.shared.seeds import key_words
from fracas.rulesets.titans.content.compile import compile_battle
from fracas.rulesets.titans.content.models import SessionFile
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.events import PROTOCOL
from fracas.rulesets.titans.rules.mechanics import announce_outcome, play_round, set_up
from fracas.rulesets.titans.rules.state import GIVEN, battle_t
from fracas.rulesets.titans.rules.titan_stats import is_legal
from fracas.rulesets.titans.session.session_document import MISSED, SOMEBODY, edited
from fracas.rulesets.titans.session.view import is_told

# More rows than a single round can write.
round_log_t = log_type(1 << 12)
CHANGING = mutable_spans(battle_t, GIVEN)


class LiveDuel:
    """A resolved duel in progress. Not thread-safe: its owner admits one caller at a time."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.names: list[str] = [player["name"] for player in document["players"]]
        self.people = [player["policy"] == SOMEBODY for player in document["players"]]
        self.pending: list[str | None] = [None, None]
        self.rounds: list[list[str]] = []
        self.digests: list[str] = []
        compiled = compile_battle(document, {})
        self._records: Rows = compiled.record
        self._books = compiled.books
        self.record: Any = self._records[0]
        seek_stream(self.record.dice, 0)
        self.rows: Rows = self._logged(set_up)

    @property
    def is_over(self) -> bool:
        """Whether the duel has ended."""
        return int(self.record.reason) != codes.UNDECIDED

    @property
    def winner(self) -> str | None:
        """The winner's name; None for a draw and before the end."""
        return self.names[self.record.winner - 1] if self.is_over and self.record.winner else None

    @property
    def reason(self) -> str | None:
        """How the duel ended; None before the end."""
        return codes.REASONS[self.record.reason] if self.is_over else None

    @property
    def round_number(self) -> int:
        """The current round, from 1; after the end the last one."""
        return int(self.record.tick) + (0 if self.is_over else 1)

    @property
    def waiting(self) -> list[str]:
        """The people who have not chosen yet."""
        chosen = zip(self.names, self.people, self.pending, strict=True)
        return [name for name, person, choice in chosen if person and choice is None]

    def place_of(self, player: Any) -> int:
        """The index of a player.

        Raises:
            InputError: there is no such player.
        """
        if player not in self.names:
            hint = nearest(player, self.names) if isinstance(player, str) else None
            known = f"the players are {listed([quoted(name) for name in self.names], 'and')}"
            raise InputError.of("player", f"there is no player {shown(player)} in this duel", hint or known)
        return self.names.index(player)

    def person(self, player: Any) -> int:
        """The index of a player who is a person.

        Raises:
            InputError: there is no such player, or its policy plays.
        """
        seat = self.place_of(player)
        if not self.people[seat]:
            raise InputError.of("player", f"{quoted(player)} is played by a policy")
        return seat

    def has_been_taken(self, where: str, seat: int, choice: Any, number: Any) -> bool:
        """Whether this choice repeats one of a round already played.

        Raises:
            InputError: it is for another round and not a repetition.
        """
        if type(number) is not int or number < 1:
            raise InputError.of(where, f"{shown(number)} is not a round")
        if number > len(self.rounds):
            if number != self.round_number:
                raise InputError.of(where, f"is for round {number}; the current round is {self.round_number}")
            return False
        if self.rounds[number - 1][seat] != choice:
            raise InputError.of(where, f"is too late: round {number} has been played")
        return True

    def events(self, rows: Rows) -> list[Event]:
        """Event rows as typed events."""
        return PROTOCOL.decode(rows, self._books)

    def rows_told(self, seat: int) -> Rows:
        """The rows that a player may see, in order."""
        return self.rows[is_told(self.rows, seat)]

    def legal_choices(self, seat: int) -> list[str]:
        """A player's legal choices in this round; empty after the end."""
        if self.is_over:
            return []
        return [name for code, name in enumerate(self._choices(seat)) if is_legal(self.record.titans[seat], code)]

    def refuse_illegal(self, where: str, seat: int, choice: Any) -> None:
        """Refuse a choice that is not legal.

        Raises:
            InputError: the choice is not legal; says why.
        """
        own = self._choices(seat)
        titan = self.record.titans[seat]
        if not isinstance(choice, str) or choice not in own:
            if isinstance(choice, str) and choice in self.document["abilities"]:
                owned = listed([quoted(name) for name in own[codes.FIRST_ABILITY :]], "and")
                raise InputError.of(where, f"the titan does not have the ability {quoted(choice)}", f"it has {owned}")
            hint = (nearest(choice, own) if isinstance(choice, str) else None) or f"it can choose {listed(own)}"
            raise InputError.of(where, f"there is no action or ability {shown(choice)}", hint)
        if not is_legal(titan, own.index(choice)):
            cost = self.document["abilities"][choice]["cost"]
            raise InputError.of(where, f"{quoted(choice)} costs {cost} charge, and the titan has {titan.charge}")

    def key_dice(self, text: str) -> None:
        """Key the dice with the seed text."""
        self.record.dice.key[:] = key_words(text)
        seek_stream(self.record.dice, 0)

    def play(self, choices: Sequence[str]) -> Rows:
        """Play a round with the people's choices; policies choose themselves. Returns the round's event rows.

        The round is atomic: if anything is raised, nothing has changed.

        Raises:
            FaultError: the round hit a limit of the engine.
        """
        before = save_snapshot(self._records, CHANGING), self._records["dice"].copy()
        past = self.rows, self.rounds, self.digests, self.pending
        try:
            self._submit(choices)
            rows = self._logged(_round_and_outcome)
            pair = [
                choice if self.people[seat] else self._choices(seat)[self.record.titans[seat].choice]
                for seat, choice in enumerate(choices)
            ]
            self.rows = np.concatenate([self.rows, rows])
            self.rounds = [*self.rounds, pair]
            self.digests = [*self.digests, digest(rows)]
            self.pending = [None, None]
        except BaseException:
            restore(as_words(self._records), before[0], CHANGING)
            self._records["dice"][:] = before[1]
            self.rows, self.rounds, self.digests, self.pending = past
            raise
        return rows

    def moment(self) -> tuple[bytes, bytes]:
        """The state of the duel as bytes: the changing words of the record, and all event rows."""
        return save_snapshot(self._records, CHANGING).tobytes(), self.rows.tobytes()

    def go_to(self, words: bytes, rows: bytes, kept: Mapping[str, Any]) -> None:
        """Restore the state of a duel of the same document."""
        restore(as_words(self._records), np.frombuffer(words, np.int64), CHANGING)
        self.rows = np.frombuffer(rows, np.int32).reshape(-1, self.rows.shape[1])
        self.rounds, self.digests, self.pending = kept["rounds"], kept["digests"], kept["pending"]

    def _submit(self, choices: Sequence[str]) -> None:
        """Write the people's choices into the record."""
        for seat, choice in enumerate(choices):
            if self.people[seat]:
                policy = self.record.policies[seat]
                policy.choices[policy.choice_count] = (
                    codes.MISSED if choice == MISSED else self._choices(seat).index(choice)
                )
                policy.choice_count += 1

    def _choices(self, seat: int) -> list[str]:
        """A player's choices by their codes."""
        return [*codes.ACTIONS[: codes.FIRST_ABILITY], *self.document["players"][seat]["titan"]["abilities"]]

    def _logged(self, rule: Any) -> Rows:
        logs = np.zeros(1, round_log_t)
        rule(self.record, logs[0])
        if logs[0].fault or self.record.dice.exhausted:
            raise FaultError(f"round {self.record.tick} hit a limit of the log or the dice")
        return np.array(logs[0].rows[: logs[0].count])


def _round_and_outcome(record: Any, log: Any) -> None:
    play_round(record, log)
    if record.reason != codes.UNDECIDED:
        announce_outcome(record, log)


def play_saved(duel: LiveDuel, saved: SessionFile, where: str) -> None:
    """Replay the rounds of a saved session and restore the choices submitted for the next one.

    Raises:
        InputError: the saved rounds cannot have been played.
    """
    has_deadline = saved.deadline is not None
    if len(saved.digests) != len(saved.rounds):
        raise edited(f"{where}: digests", "there is not one for each round")
    for number, (pair, expected) in enumerate(zip(saved.rounds, saved.digests, strict=True)):
        _play_again(duel, f"{where}: rounds.{number}", pair, expected, has_deadline=has_deadline)
    for seat, choice in enumerate(saved.pending):
        if choice is not None:
            path = f"{where}: pending.{seat}"
            if duel.is_over or not duel.people[seat]:
                raise edited(path, "no choice is due")
            duel.refuse_illegal(path, seat, choice)
            duel.pending[seat] = choice


def _play_again(duel: LiveDuel, where: str, pair: list[str], expected: str, *, has_deadline: bool) -> None:
    if duel.is_over:
        raise edited(where, "the duel had already ended")
    for seat, choice in enumerate(pair):
        if duel.people[seat] and choice != MISSED:
            duel.refuse_illegal(f"{where}.{seat}", seat, choice)
        if choice == MISSED and not has_deadline:
            raise edited(f"{where}.{seat}", "no choice can be missed in a session without a deadline")
    duel.play(pair)
    if duel.rounds[-1] != pair:
        raise edited(where, f"the policies choose {listed(duel.rounds[-1], 'and')}")
    if duel.digests[-1] != expected:
        raise edited(where, "the events differ from the saved digest")
