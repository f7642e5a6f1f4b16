"""Play the legs of a match by the module of its rules, from what the archive kept of its pair."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from blake3 import blake3

from fracas.portable import archived_module
from fracas.portable.archived_module import ArchivedModule, ArchiveFault, PlayedRow
from fracas.rulesets.contract.analysis import DRAWN, LOST, WON
from fracas.rulesets.shared.seeds import key_words
from fracas.server.arena.archive.contents import ArchivedBattle, Side, StoredPair, battle_of, battle_place, unpacked
from fracas.server.arena.archive.modules import StoredModule
from fracas.server.arena.match_player import LEG_POINTS, Leg, is_swapped, leg_seed

# Half points of side 1 by who won: nobody, side 1 or side 2.
_SCORES = (DRAWN, WON, LOST)


class ArchivedPlayer:
    """Plays the legs of a pair by an archived module."""

    def __init__(self, module: StoredModule, pair: StoredPair, first: Side, second: Side) -> None:
        """Unpack what is stored of a pair.

        Args:
            module: the module of the match's rules.
            pair: the pair.
            first: place 1.
            second: place 2.

        Raises:
            ArchiveFault: the module or the pair is damaged, or wasmtime is missing.
        """
        if not archived_module.can_play():
            raise ArchiveFault("wasmtime is missing, which plays archived modules")
        self.module = opened(module)
        self._sides = first, second
        self._content = unpacked(pair.content, pair.digest)

    def play(self, match_seed: str, number: int) -> Leg:
        """A leg again.

        Raises:
            ArchiveFault: the pair does not play.
        """
        played = self._played(match_seed, number, logged=False)
        score = _SCORES[played.winner] if 0 <= played.winner < len(_SCORES) else DRAWN
        result = LEG_POINTS - score if is_swapped(number) else score
        return Leg(number, result, played.reason, played.rounds, blake3(played.row).digest())

    def logged(self, match_seed: str, number: int) -> tuple[PlayedRow, list[tuple[str, dict[str, Any]]]]:
        """A leg again with its events, each with its detail.

        Raises:
            ArchiveFault: the pair does not play.
        """
        played = self._played(match_seed, number, logged=True)
        assert played.events is not None
        return played, self.module.decoded(played.events, self._battle(number).books)

    def _played(self, match_seed: str, number: int, *, logged: bool) -> PlayedRow:
        key = key_words(leg_seed(match_seed, number)).astype("<u4").tobytes()
        return self.module.play(self._battle(number).record, key, logged=logged)

    def _battle(self, number: int) -> ArchivedBattle:
        return battle_of(self._content, self.module, battle_place(*self._sides, is_swapped(number)))


@lru_cache(maxsize=archived_module.MOST_TRANSLATED)
def opened(module: StoredModule) -> ArchivedModule:
    """A stored module, ready to play; kept, because unpacking and checking it takes longer than a battle.

    Raises:
        ArchiveFault: it is damaged.
    """
    return module.opened()
