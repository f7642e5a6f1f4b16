"""One table in this process: the battle as far as it is stored, and what each side and the watchers are told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from fracas.envs.agents.agent import Agent
from fracas.envs.battles.live_battle import SIDES, LiveBattle, Played
from fracas.replay.table_file import TABLE_FORMAT, TABLE_VERSION, TableGame, TableProof, TableResult, table_seed
from fracas.rulesets.contract.types import Document
from fracas.server.http.answers import link
from fracas.server.http.problems import ApiProblem
from fracas.server.tables import catalogue, store
from fracas.server.tables.connection import Connection
from fracas.server.tables.store import Stored
from fracas.server_models import tables as models

# How much later than its players the watchers of a rated table hear everything, in milliseconds.
WATCHERS_LATER = 2_000
# Who sees: a side, or who watches.
Seer = int | None


class LiveTable:
    """A table, its battle, and who is connected to it here. `lock` admits one change at a time."""

    def __init__(self, stored: Stored, document: Document, game: catalogue.OfferedGame) -> None:
        self.lock = asyncio.Lock()
        self.stored = stored
        self.game = game
        self._like = catalogue.compiled(bytes(stored.row.document), document)
        [self.scenario] = self._like.scenarios
        self.names = game.ruleset.side_names(self.scenario.document)
        self.battle: LiveBattle | None = None
        self.missed: list[tuple[int, ...]] = []
        """For each step that was played, the sides that did not choose in time."""
        self.current: dict[int, int] = {}
        """What is chosen for the step that is not over yet, by side."""
        self.connections: set[Connection] = set()
        self.agents: dict[int, Agent | None] = {}
        self._told: tuple[Any, ...] = ()
        self._told_present: list[bool] = []
        self._told_current: dict[int, int] = {}
        self._told_over = False

    @property
    def id(self) -> str:
        """The table's id."""
        return str(self.stored.row.id)

    @property
    def state(self) -> str:
        """The table's state."""
        return str(self.stored.row.state)

    def delay(self, seer: Seer) -> int:
        """How much later than now somebody hears something, in milliseconds.

        A table that was to be rated stays one for its watchers: what they hear has an order.
        """
        is_rated = self.stored.row.unrated in (None, store.NOT_PLAYED)
        return WATCHERS_LATER if seer is None and is_rated else 0

    def advance(self, stored: Stored) -> list[Played]:
        """Play what was stored since the last time. More than a step may take a while: call it in a thread."""
        self.stored = stored
        row = stored.row
        if self.battle is None:
            if row.state not in (store.PLAYING, store.OVER) or None in stored.salts:
                return []
            self.battle = self._begun()
        by_step: dict[int, list[Any]] = {}
        for each in stored.choices:
            by_step.setdefault(each.step, []).append(each)
        played = []
        while self.battle.step < row.step:
            chosen = by_step[self.battle.step]
            self.missed.append(tuple(each.side for each in chosen if each.missed))
            played.append(self.battle.play({each.side: each.action for each in chosen}))
        self.current = {each.side: each.action for each in by_step.get(row.step, ())}
        return played

    @property
    def due(self) -> tuple[int, ...]:
        """The sides that decide now."""
        return self.battle.deciding() if self.battle is not None and self.state == store.PLAYING else ()

    def new_action(self, side: int, step: int, choice: str) -> int | None:
        """The action of somebody's choice; None if it is stored already.

        Raises:
            InputError: it is no choice now.
            ApiProblem: 409, the step is over or not yet there, or the choice is final.
        """
        battle = self.battle
        if battle is None:
            raise ApiProblem("conflict", "The battle has not begun.")
        if step < battle.step:
            if battle.played[step - 1].chosen[side] == choice and side not in self.missed[step - 1]:
                return None
            raise ApiProblem("conflict", f"This is too late: step {step} has been played.")
        if step > battle.step or self.state != store.PLAYING:
            raise ApiProblem("conflict", f"This is for step {step}; the current step is {battle.step}.")
        action = battle.action_of(side, choice)
        known = self.current.get(side)
        if known not in (None, action) and self.stored.row.final:
            raise ApiProblem("conflict", "Your choice is made, and choices are final at this table.")
        return None if known == action else action

    def defaults(self) -> dict[int, int]:
        """What counts for the sides that are due and have not chosen."""
        assert self.battle is not None
        return {side: self.battle.default(side) for side in self.due if side not in self.current}

    def bots_due(self) -> list[int]:
        """The sides whose bots are due."""
        return [side for side in self.due if side not in self.current and self.stored.seats[side].bot is not None]

    def bot_action(self, side: int) -> int:
        """What a bot chooses. It may take a while: call it in a thread."""
        assert self.battle is not None
        if side not in self.agents:
            self.agents[side] = self.game.agent(self.stored.seats[side].bot)
        agent = self.agents[side]
        if agent is None:
            return self.battle.default(side)
        # Its own dice: of the seat and the step, so that it goes on after a restart.
        agent.begin(f"{self.id}/{side}/{self.battle.step}")
        return int(agent.choose(self.battle.match.batch, side)[0])

    def end(self) -> tuple[int, str, bool] | None:
        """How it ended: the winner, the reason, and whether the rules decided it; None if it goes on."""
        if self.battle is None or self.state != store.PLAYING:
            return None
        if self.battle.is_over:
            return self.battle.winner, str(self.battle.reason), True
        absent = [side for side in SIDES if self._misses(side) >= store.MOST_MISSES]
        if len(absent) == len(SIDES):
            return 0, store.ABANDONED, False
        return (2 - absent[0], store.FORFEIT, False) if absent else None

    def _misses(self, side: int) -> int:
        """How many decisions in a row a side has missed."""
        assert self.battle is not None
        count = 0
        for played, missed in zip(reversed(self.battle.played), reversed(self.missed), strict=True):
            if side in missed:
                count += 1
            elif played.chosen[side] is not None:
                break
        return count

    def proof(self) -> Document:
        """The proof, once it is over."""
        stored, row, battle = self.stored, self.stored.row, self.battle
        return TableProof(
            format=TABLE_FORMAT,
            version=TABLE_VERSION,
            game=TableGame(row.game, row.rules_version, row.rules_hash),
            scenario=self.scenario.document,
            table=row.id,
            seats=store.seats_of(stored),
            seconds=row.seconds,
            server_seed=stored.server_seed,
            commitment=stored.commitment or "",
            salt_seals=stored.seals,
            salts=stored.salts,
            nonces=stored.nonces,
            decisions=[] if battle is None else battle.decisions.rows,
            missed=[(step, side + 1) for step, sides in enumerate(self.missed, 1) for side in sides],
            result=TableResult(row.winner, row.reason, bool(row.decided)),
            digest=self._digest(),
        ).sealed()

    def _digest(self) -> str:
        """The digest of all events; of a battle that never began that of its beginning, under the salts there are."""
        if self.battle is None:
            return self._begun().digest
        return self.battle.digest

    def _begun(self) -> LiveBattle:
        """The battle at its beginning."""
        return LiveBattle(self.scenario, table_seed(self.stored.server_seed, self.stored.salts), self._like)

    # -- what is told ------------------------------------------------------------------------------------------------

    def view(self, seer: Seer, now: int) -> models.View | None:
        """The battle as somebody may see it; None before the dice are known."""
        battle = self.battle
        if battle is None:
            return None
        standing = battle.standing(seer)
        own = None if seer is None else self.current.get(seer)
        choices = [] if seer is None or self.state != store.PLAYING else battle.choices(seer)
        found = {
            "step": battle.step,
            "round": standing.round,
            "values": standing.values,
            "sides": standing.sides,
            "deciding": [side + 1 for side in self.due],
            "locked": [] if seer is None else [side + 1 for side in sorted(self.current)],
            "choices": [{"choice": each.name, "words": each.words.words, "cost": each.words.cost} for each in choices],
            "chosen": None if own is None or seer is None else battle.name_of(seer, own),
            "milliseconds": self._left(now),
        }
        # At once: what is checked value by value takes three times as long.
        return models.View.model_validate(found, from_attributes=True)

    def _left(self, now: int) -> int | None:
        deadline = self.stored.row.deadline
        return None if deadline is None or self.state == store.WAITING else max(0, deadline - now)

    def round(self, played: Played, seer: Seer) -> models.Round:
        """A step that was played, as somebody may see it."""
        battle = self.battle
        assert battle is not None
        is_open = not battle.tables.hides or battle.is_over
        return models.Round(
            step=played.step,
            chosen=[name if is_open or side == seer else None for side, name in enumerate(played.chosen)],
            missed=[side + 1 for side in self.missed[played.step - 1]],
            events=battle.events(seer, played.first_row, played.rows),
            story=battle.story(seer, played.first_row, played.rows),
            view=None,
        )

    def welcome(self, seer: Seer, now: int, last: int | None = None) -> models.WelcomeMessage:
        """The whole table, with the steps after `last`; None for no steps."""
        stored, battle = self.stored, self.battle
        played = [] if battle is None or last is None else battle.played[last:]
        return models.WelcomeMessage(
            type="welcome",
            payload=models.Welcome(
                table=stored.view(self.names),
                side=None if seer is None else seer + 1,
                seals=stored.seals,
                # One that is open could still be answered by the other, if it were told.
                salts=None if None in stored.salts else list(stored.salts),
                present=[side + 1 for side in SIDES if stored.is_present(side)],
                milliseconds=self._left(now),
                opening=[] if battle is None else battle.opening(seer),
                rounds=[self.round(each, seer) for each in played],
                view=self.view(seer, now),
                rematch=stored.row.rematch,
            ),
        )

    def over(self) -> models.OverMessage | None:
        """The end, once its proof is stored; None before."""
        stored = self.stored
        ending = stored.ending
        if ending is None or stored.row.proof is None or stored.commitment is None:
            return None
        proof = f"{link('tables', self.id)}/proof"
        ratings = [each for each in stored.ratings if each is not None]
        over = models.Over(
            ending=ending,
            ratings=ratings or None,
            proof=proof,
            server_seed=stored.server_seed,
            commitment=stored.commitment,
            handshake=stored.handshake,
        )
        return models.OverMessage(type="over", payload=over)

    def news(self, played: Sequence[Played], now: int) -> Callable[[Seer], list[Any]]:
        """What has changed since the last call: a function from who sees to the messages, in order."""
        stored, row = self.stored, self.stored.row
        about = (row.state, row.rematch, stored.seals, None in stored.salts, [seat.account for seat in stored.seats])
        is_other = about != self._told
        present = [stored.is_present(side) for side in SIDES]
        came = [side for side in SIDES if self._told_present and present[side] != self._told_present[side]]
        before = self._told_current if not played else {}
        chosen = {side: action for side, action in self.current.items() if before.get(side) != action}
        over = None if self._told_over else self.over()
        self._told, self._told_present, self._told_current = about, present, dict(self.current)
        self._told_over = self._told_over or over is not None

        battle = self.battle

        @cache
        def rounds(seer: Seer) -> list[models.Round]:
            return [self.round(each, seer) for each in played]

        def for_seer(seer: Seer) -> list[Any]:
            heard = now + self.delay(seer)
            # What happened is the same for all where nothing is hidden.
            told = rounds(seer if battle is not None and battle.tables.hides else None)
            if told:
                told = [*told[:-1], told[-1].model_copy(update={"view": self.view(seer, heard)})]
            found: list[Any] = [models.RoundMessage(type="round", payload=each) for each in told]
            if is_other:
                found.append(self.welcome(seer, heard))
            found += [
                models.PresenceMessage(type="presence", payload=models.Presence(side=side + 1, present=present[side]))
                for side in came
            ]
            if seer is not None:
                # Who replaces a choice tells only the own pages.
                found += [self.locked(side, seer) for side in chosen if side not in before or side == seer]
            return [*found, *([over] * (over is not None))]

        return for_seer

    def locked(self, side: int, seer: int, step: int | None = None) -> models.LockedMessage:
        """That a side has chosen; what, to itself only."""
        battle = self.battle
        assert battle is not None
        more: dict[str, Any] = {}
        if side == seer and step is None and side in self.current:
            more["choice"] = battle.name_of(side, self.current[side])
        locked = models.Locked(step=battle.step if step is None else step, side=side + 1, **more)
        return models.LockedMessage(type="locked", payload=locked)


def texts_for(messages: Callable[[Seer], list[Any]], cache: dict[Seer, list[str]], seer: Seer) -> list[str]:
    """The messages for somebody as texts, encoded once for all who see the same."""
    if seer not in cache:
        cache[seer] = [text_of(each) for each in messages(seer)]
    return cache[seer]


def text_of(message: Any) -> str:
    """A message as it is sent."""
    return str(message.model_dump_json(exclude_unset=True))
