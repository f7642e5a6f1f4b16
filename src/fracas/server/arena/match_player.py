"""Play matches: an even number of battles between two entries, of which every second one has the sides swapped.

A match is played without a log; any of its battles can be played again with one, because its seed and both entries are
kept. What a leg came to is told by the digest of its result row.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from blake3 import blake3

from fracas.engine.battle import Battle, play_battle
from fracas.engine.execution_mode import MANY_BATTLES
from fracas.engine.player import Player, compiled_form, make_player
from fracas.engine.scenario import Scenario
from fracas.kernel import jit
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.types import Document
from fracas.rulesets.shared.seeds import key_words
from fracas.server.arena.day_secrets import hash_fields
from fracas.server.arena.entries import resolve_side, scenario_of
from fracas.server.arena.league import League
from fracas.server.clock import date_of

# A leg is worth two half points: 2 for a win, 1 for a draw.
LEG_POINTS = 2
# Enough battles that plain Python never plays them, and few enough that nobody waits for the compiler.
UNCOMPILED = 200
# How many pairs are kept ready: as many as are prepared before the first is played (arena_loop.MOST_AT_ONCE). A pair of
# squads takes 0.6 MB, one of relics 3, one of titans 5.
MOST_PAIRS = 32
# How many sides; in a league that fights much, nearly every pair is new, and its sides are not.
MOST_SIDES = 2_048

Key = tuple[object, ...]
Kept = TypeVar("Kept")


@dataclass(frozen=True)
class Combatant:
    """An entry's version in a match."""

    code: str
    """What its side is called; no account's name is in a document."""
    document: Document
    digest: bytes
    """blake3 of the document's bytes."""

    @property
    def key(self) -> Key:
        """What tells it apart from others of its league."""
        return self.code, self.digest


@dataclass(frozen=True)
class Rules:
    """What a match is fought under, as of the moment of pairing."""

    league: League
    modifier: str

    @classmethod
    def at(cls, league: League, now: int) -> Rules:
        """The rules of a league at a time, milliseconds UTC."""
        return cls(league, league.modifier_at(date_of(now)))

    @property
    def key(self) -> Key:
        """What tells them apart from others."""
        return self.league.revision, self.modifier


@dataclass(frozen=True)
class Leg:
    """What one battle of a match came to."""

    no: int
    result: int
    """For place 1 in half points: 2 won, 1 drawn, 0 lost."""
    reason: str
    rounds: int
    digest: bytes
    """blake3 of the result row."""


@dataclass(frozen=True)
class MatchResult:
    """What a match came to."""

    legs: tuple[Leg, ...]

    @property
    def scores(self) -> tuple[int, int]:
        """The half points of both places."""
        first = sum(leg.result for leg in self.legs)
        return first, LEG_POINTS * len(self.legs) - first

    @property
    def digest(self) -> bytes:
        """A hash of all legs, 32 bytes."""
        return result_digest((leg.result, leg.digest) for leg in self.legs)


def result_digest(legs: Iterable[tuple[int, bytes]]) -> bytes:
    """A hash of the results and digests of legs, 32 bytes."""
    return hash_fields("fracas match result", *(part for leg in legs for part in leg))


def is_swapped(leg: int) -> bool:
    """Whether place 1 is side 2 in a leg."""
    return leg % 2 == 1


def leg_seed(match_seed: str, leg: int) -> str:
    """The seed text of a leg: both legs of a swapped pair share their dice."""
    return f"{match_seed}:{leg // 2}"


def leg_document(rules: Rules, first: Combatant, second: Combatant, leg: int) -> Document:
    """The resolved battle of a leg, still without its seed.

    Raises:
        InputError: the content has changed, and an entry does not fit it any more.
    """
    return _leg_of_sides(rules, (_side(rules, first), _side(rules, second)), leg)


def _side(rules: Rules, combatant: Combatant) -> Document:
    """The resolved document in which a combatant is side 1."""
    return resolve_side(rules.league, combatant.document, combatant.code, rules.modifier)


def _leg_of_sides(rules: Rules, sides: tuple[Document, Document], leg: int) -> Document:
    one, other = reversed(sides) if is_swapped(leg) else sides
    return rules.league.ruleset.analysis.matchup(SideRef(one, 1), SideRef(other, 1))


def leg_scenario(rules: Rules, first: Combatant, second: Combatant, leg: int, match_seed: str) -> Scenario:
    """A leg as a scenario with its seed."""
    document = leg_document(rules, first, second, leg) | {"seed": leg_seed(match_seed, leg)}
    return scenario_of(rules.league, document)


def leg_battle(rules: Rules, first: Combatant, second: Combatant, leg: int, match_seed: str) -> Battle:
    """A leg played again with its log."""
    return play_battle(leg_scenario(rules, first, second, leg, match_seed))


@dataclass(frozen=True)
class ReadyPair:
    """Two entries whose battles are compiled."""

    league: League
    players: tuple[Player, Player]
    """Of the battle in which place 1 is side 1, and of the one in which it is side 2."""

    def play(self, match_seed: str) -> MatchResult:
        """Play a match.

        Raises:
            FaultError: a battle hit a limit of the engine.
        """
        return MatchResult(tuple(self._legs(match_seed)))

    def _legs(self, match_seed: str) -> Iterator[Leg]:
        ruleset = self.league.ruleset
        for number in range(self.league.file.legs):
            player = self.players[number % 2]
            player.record[0].dice.key[:] = key_words(leg_seed(match_seed, number))
            rows = player.play(0, 1)
            score = int(ruleset.analysis.score(rows)[0])
            result = LEG_POINTS - score if is_swapped(number) else score
            row = rows[0]
            digest = blake3(rows.tobytes()).digest()
            yield Leg(number, result, ruleset.reasons[int(row.reason)], int(row.rounds), digest)


class MatchPlayer:
    """Plays the matches of one thread. The battles of a pair that met before need not be compiled again."""

    def __init__(self, most_pairs: int = MOST_PAIRS) -> None:
        self._most_pairs = most_pairs
        self._pairs: OrderedDict[Key, ReadyPair] = OrderedDict()
        self._sides: OrderedDict[Key, Document] = OrderedDict()
        # Choosing how to play takes as long as compiling, and comes out the same for all battles of a league.
        self._examples: dict[Key, Player] = {}

    def play(self, rules: Rules, first: Combatant, second: Combatant, match_seed: str) -> MatchResult:
        """Play a match.

        Raises:
            InputError: an entry does not fit the content any more.
            FaultError: a battle hit a limit of the engine.
        """
        return self.ready(rules, first, second).play(match_seed)

    def ready(self, rules: Rules, first: Combatant, second: Combatant) -> ReadyPair:
        """A pair with its battles compiled, so that playing them takes less than a millisecond.

        Raises:
            InputError: an entry does not fit the content any more.
        """
        key = (*rules.key, *first.key, *second.key)
        return _recall(self._pairs, key, self._most_pairs, lambda: self._compiled(rules, first, second))

    def _compiled(self, rules: Rules, first: Combatant, second: Combatant) -> ReadyPair:
        sides = self._side(rules, first), self._side(rules, second)
        one, other = (self._player(rules, _leg_of_sides(rules, sides, leg)) for leg in (0, 1))
        return ReadyPair(rules.league, (one, other))

    def _side(self, rules: Rules, combatant: Combatant) -> Document:
        key = (*rules.key, *combatant.key)
        return _recall(self._sides, key, MOST_SIDES, lambda: _side(rules, combatant))

    def _player(self, rules: Rules, document: Document) -> Player:
        """What plays a battle, as the first battle of its league was played."""
        scenario = scenario_of(rules.league, document)
        if rules.key not in self._examples:
            self._examples[rules.key] = _player(scenario)
        return replace(self._examples[rules.key], record=scenario.compiled.record)


def _recall(kept: OrderedDict[Key, Kept], key: Key, most: int, make: Callable[[], Kept]) -> Kept:
    """What is kept of a key, or made now; the one that was not asked for longest goes."""
    if key not in kept:
        kept[key] = make()
        if len(kept) > most:
            kept.popitem(last=False)
    kept.move_to_end(key)
    return kept[key]


def _player(scenario: Scenario) -> Player:
    kernels = scenario.ruleset.kernels
    is_compiled = jit.is_cached(kernels.play_many, compiled_form(False, False))
    return make_player(scenario, logged=False, battles=MANY_BATTLES if is_compiled else UNCOMPILED)
