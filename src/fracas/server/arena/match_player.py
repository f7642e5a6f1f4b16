"""Play matches: an even number of battles between two entries, of which every second one has the sides swapped.

A match is played without a log; any of its battles can be played again with one, because its seed and both entries are
kept. What a leg came to is told by the digest of its result row.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from threading import local
from typing import Any

from blake3 import blake3

from fracas.engine.battle import Battle, play_battle
from fracas.engine.execution_mode import MANY_BATTLES
from fracas.engine.player import Player, compiled_form, make_player
from fracas.engine.scenario import Scenario
from fracas.kernel import jit
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.joining import SideJoiner
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.shared.seeds import key_words
from fracas.server.arena.archive.contents import KeptPair, PinnedRules, Side, content_of
from fracas.server.arena.entries.checking import resolve_entry, resolve_side
from fracas.server.arena.league import League
from fracas.server.arena.secrets import hash_fields

# A leg is worth two half points: 2 for a win, 1 for a draw.
LEG_POINTS = 2
# Enough battles that plain Python never plays them, and few enough that nobody waits for the compiler.
UNCOMPILED = 200
# How much of pairs is kept ready, and how many pairs at least, because so many are prepared before the first is played
# (running.MOST_AT_ONCE). A pair of squads takes 0.6 MB, one of relics 3, one of titans 5.
MOST_PAIR_BYTES = 32 * 1024 * 1024
FEWEST_PAIRS = 32
# How many sides; in a league that fights much, nearly every pair is new, and its sides are not.
MOST_SIDES = 2_048


@dataclass(frozen=True)
class Combatant:
    """An entry's version in a match."""

    code: str
    """What its side is called; no account's name is in a document."""
    document: Document
    digest: bytes
    """blake3 of the document's bytes."""

    @property
    def side(self) -> Side:
        """What tells it apart from others of its league."""
        return self.code, self.digest


@dataclass(frozen=True)
class Rules:
    """What a match is fought under, as of the moment of pairing."""

    league: League
    modifier: str


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
        return hash_fields("fracas match result", *(part for leg in self.legs for part in (leg.result, leg.digest)))


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
    ruleset = rules.league.ruleset
    return Scenario(ruleset, document, ruleset.compile(document, {}))


def leg_battle(rules: Rules, first: Combatant, second: Combatant, leg: int, match_seed: str) -> Battle:
    """A leg played again with its log."""
    return play_battle(leg_scenario(rules, first, second, leg, match_seed))


@dataclass(frozen=True)
class ReadyPair:
    """Two entries whose battles are compiled."""

    players: tuple[Player, Player]
    """Of the battle in which place 1 is side 1, and of the one in which it is side 2."""
    kept: KeptPair
    """The same battles as the archive keeps them."""

    @property
    def size(self) -> int:
        """Bytes of both battles."""
        return sum(player.record.nbytes for player in self.players)


class MatchPlayer:
    """Plays the matches of one thread. The battles of a pair that met before need not be compiled again."""

    def __init__(self, most_bytes: int = MOST_PAIR_BYTES, most_sides: int = MOST_SIDES) -> None:
        self._most_bytes, self._most_sides = most_bytes, most_sides
        self._ready: OrderedDict[tuple[object, ...], ReadyPair] = OrderedDict()
        self._bytes = 0
        """What the ready pairs take."""
        self._sides: OrderedDict[tuple[object, ...], Any] = OrderedDict()
        self._joiners: dict[tuple[object, ...], _Joiner | None] = {}
        # Choosing how to play takes as long as compiling, and comes out the same for all battles of a league.
        self._examples: dict[tuple[object, ...], Player] = {}

    def prepare(self, rules: Rules, first: Combatant, second: Combatant) -> None:
        """Compile a pair's battles, so that playing them takes less than a millisecond."""
        self.ready(rules, first, second)

    def play(self, rules: Rules, first: Combatant, second: Combatant, match_seed: str) -> MatchResult:
        """Play a match.

        Raises:
            InputError: an entry does not fit the content any more.
            FaultError: a battle hit a limit of the engine.
        """
        players = self.ready(rules, first, second).players
        return MatchResult(tuple(self._legs(rules.league, players, match_seed)))

    def _legs(self, league: League, players: tuple[Player, Player], match_seed: str) -> Iterator[Leg]:
        ruleset = league.ruleset
        for number in range(league.file.legs):
            player = players[number % 2]
            player.record[0].dice.key[:] = key_words(leg_seed(match_seed, number))
            rows = player.play(0, 1)
            score = int(ruleset.analysis.score(rows)[0])
            result = LEG_POINTS - score if is_swapped(number) else score
            row = rows[0]
            digest = blake3(rows.tobytes()).digest()
            yield Leg(number, result, ruleset.reasons[int(row.reason)], int(row.rounds), digest)

    def ready(self, rules: Rules, first: Combatant, second: Combatant) -> ReadyPair:
        """A pair with its battles compiled.

        Raises:
            InputError: an entry does not fit the content any more.
        """
        key = (rules.league.revision, rules.modifier, first.digest, second.digest, first.code, second.code)
        known = self._ready.get(key)
        if known is None:
            known = self._joined(rules, first, second) or self._compiled(rules, first, second)
            self._ready[key] = known
            self._bytes += known.size
            while self._bytes > self._most_bytes and len(self._ready) > FEWEST_PAIRS:
                self._bytes -= self._ready.popitem(last=False)[1].size
        else:
            self._ready.move_to_end(key)
        return known

    def _compiled(self, rules: Rules, first: Combatant, second: Combatant) -> ReadyPair:
        """A pair whose battles are compiled whole."""
        sides = self._side(rules, first, _side), self._side(rules, second, _side)
        documents = _leg_of_sides(rules, sides, 0), _leg_of_sides(rules, sides, 1)
        one, other = (_battle(rules.league, document) for document in documents)
        key = (rules.league.revision, rules.modifier)
        if key not in self._examples:
            self._examples[key] = _player(Scenario(rules.league.ruleset, documents[0], one))
        return _ready_pair(rules, first, second, (one, other), self._examples[key])

    def _joined(self, rules: Rules, first: Combatant, second: Combatant) -> ReadyPair | None:
        """A pair whose battles are joined from compiled sides; None where they must be compiled whole."""
        key = (rules.league.revision, rules.modifier)
        if key not in self._joiners:
            joiner = rules.league.ruleset.side_joiner()
            # The first pair is compiled whole: its player shows how battles are played here.
            example = None if joiner is None else self._compiled(rules, first, second).players[0]
            self._joiners[key] = None if joiner is None or example is None else _Joiner(joiner, example)
        ready = self._joiners[key]
        if ready is None:
            return None
        parts = self._side(rules, first, ready.part), self._side(rules, second, ready.part)
        one, other = ready.joiner.join(*parts), ready.joiner.join(*reversed(parts))
        if one is None or other is None:
            return None
        for battle in (one, other):
            battle.record[0].dice.key[:] = 0
        return _ready_pair(rules, first, second, (one, other), ready.example)

    def _side(self, rules: Rules, combatant: Combatant, make: Callable[[Rules, Combatant], Any]) -> Any:
        """What the battles of a combatant with each of its opponents begin with."""
        key = (make.__name__, rules.league.revision, rules.modifier, combatant.digest, combatant.code)
        known = self._sides.get(key)
        if known is None:
            known = self._sides[key] = make(rules, combatant)
            if len(self._sides) > self._most_sides:
                self._sides.popitem(last=False)
        else:
            self._sides.move_to_end(key)
        return known


@dataclass(frozen=True)
class _Joiner:
    """Joins the sides of a league under a modifier."""

    joiner: SideJoiner
    example: Player
    """Plays as all players of its battles do."""

    def part(self, rules: Rules, combatant: Combatant) -> Any:
        """A compiled side."""
        return self.joiner.part(resolve_entry(rules.league, combatant.document, combatant.code, rules.modifier))


def _ready_pair(
    rules: Rules,
    first: Combatant,
    second: Combatant,
    battles: tuple[Compiled, Compiled],
    example: Player,
) -> ReadyPair:
    """A pair whose battles are played as those of the example, each in its own record.

    The archive takes them before the first is played, because that leaves traces in the records.
    """
    league = rules.league
    ordered = battles if first.side <= second.side else battles[::-1]
    key = PinnedRules.of_league(league, rules.modifier).pair_key(first.side, second.side)
    kept = KeptPair(league.file.ruleset, key, content_of(league.ruleset, ordered))
    one, other = (replace(example, record=battle.record) for battle in battles)
    return ReadyPair((one, other), kept)


def _battle(league: League, document: Document) -> Compiled:
    """A compiled battle without dice."""
    compiled = league.ruleset.compile(document, {})
    compiled.record[0].dice.key[:] = 0
    return compiled


def _player(scenario: Scenario) -> Player:
    kernels = scenario.ruleset.kernels
    is_compiled = jit.is_cached(kernels.play_many, compiled_form(False, False))
    return make_player(scenario, logged=False, battles=MANY_BATTLES if is_compiled else UNCOMPILED)


class _OfThread(local):
    def __init__(self) -> None:
        self.player = MatchPlayer()


_of_thread = _OfThread()


def match_player() -> MatchPlayer:
    """The player of the running thread."""
    return _of_thread.player
