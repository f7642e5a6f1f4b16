"""The result of `why`: odds round by round, costly decisions, the turning point, changes (docs/adr/0023)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fracas.engine.battle import Battle
from fracas.lab.explain.rollout_scores import Estimate
from fracas.lab.explain.rollouts import BRANCH
from fracas.lab.presentation.documents import StudyResult


@dataclass(frozen=True)
class RoundOdds:
    """The odds of side 1 at the start of a round, and how much the round changed them."""

    tick: int
    place: str
    """The label, such as round 3."""
    odds: Estimate
    """Wins and half the draws, over rollouts from here."""
    after: float
    """The odds at the start of the next round; after the last round the actual outcome."""
    decision: float
    """The part of the change due to choices that strategies leave to chance."""

    @property
    def change(self) -> float:
        """How much the round changed the odds."""
        return self.after - self.odds.value

    @property
    def luck(self) -> float:
        """The part of the change due to all other dice."""
        return self.change - self.decision

    def as_json(self) -> dict[str, Any]:
        """The round's odds as plain values; lists have side 1 first, then side 2."""
        other = self.odds.of_other_side()
        return {
            "tick": self.tick,
            "place": self.place,
            "odds": [self.odds.value, other.value],
            "interval95": [list(self.odds.interval95), list(other.interval95)],
            "change": [self.change, 0.0 - self.change],
            "luck": [self.luck, 0.0 - self.luck],
            "decision": [self.decision, 0.0 - self.decision],
        }


@dataclass(frozen=True)
class DecisionCost:
    """A decision, the best choice instead, and what not taking it cost."""

    tick: int
    place: str
    side: int
    unit: str
    chosen: str
    best: str
    choices: int
    """How many choices were legal."""
    odds: Estimate
    """The side's odds with the actual choice."""
    best_odds: Estimate
    """Its odds with the best choice."""
    cost: Estimate
    """The difference, on streams that had no part in finding the choice."""

    def as_json(self) -> dict[str, Any]:
        """The decision as plain values."""
        return {
            "tick": self.tick,
            "place": self.place,
            "side": self.side,
            "unit": self.unit,
            "chosen": self.chosen,
            "best": self.best,
            "choices": self.choices,
            **self.odds.as_json("odds", "interval95"),
            **self.best_odds.as_json("best_odds", "best_interval95"),
            **self.cost.as_json("cost", "cost95"),
        }


@dataclass(frozen=True)
class PivotalTurn:
    """The turn of a round that changed the odds most."""

    unit: str
    did: str
    before: float
    """The odds of the side that lost most, when this turn began."""
    after: float
    """Its odds when the next turn began."""


@dataclass(frozen=True)
class TurningPoint:
    """The round in which the loser's odds fell most; after a draw, the round that changed the odds most."""

    tick: int
    place: str
    side: int
    """Whose odds fell."""
    before: float
    after: float
    luck: float
    """The part of the fall due to dice, below 0."""
    turn: PivotalTurn | None
    """The turn that changed the odds most; None if nobody had a choice in that round."""
    story: tuple[str, ...]
    """What happened in it."""

    def as_json(self) -> dict[str, Any]:
        """The turning point as plain values."""
        turn = self.turn
        turn_json = (
            None if turn is None else {"unit": turn.unit, "did": turn.did, "odds": turn.before, "after": turn.after}
        )
        return {
            "tick": self.tick,
            "place": self.place,
            "side": self.side,
            "odds": self.before,
            "after": self.after,
            "change": self.after - self.before,
            "luck": self.luck,
            "turn": turn_json,
            "story": list(self.story),
        }


@dataclass(frozen=True)
class BestChange:
    """The best single change found to how a side plays, and its gain over whole battles."""

    side: int
    part: str
    name: str
    path: tuple[str, ...]
    before: str
    after: str
    value: Any
    odds: Estimate
    """The side's odds without it, before the battle."""
    changed_odds: Estimate
    """Its odds with the change."""
    gain: Estimate
    """The difference, on streams that had no part in finding it."""
    same_dice: int
    """Who wins this battle with the change, under its own dice: 1, 2, or 0 for nobody."""

    def as_json(self) -> dict[str, Any]:
        """The change as plain values."""
        return {
            "part": self.part,
            "name": self.name,
            "path": ".".join(self.path),
            "from": self.before,
            "to": self.after,
            "value": self.value,
            **self.odds.as_json("odds", "interval95"),
            **self.changed_odds.as_json("changed_odds", "changed_interval95"),
            **self.gain.as_json("gain", "gain95"),
            "same_dice_winner": self.same_dice,
        }


@dataclass(frozen=True)
class ChangeSearch:
    """The search for a better way to play for one side."""

    side: int
    tried: int
    possible: int
    best: BestChange | None = None
    """The best change; None if no change helps or nothing could be tried."""
    refusal: str = ""
    """Why nothing could be tried."""

    def as_json(self) -> dict[str, Any]:
        """The search as plain values."""
        return {
            "side": self.side,
            "tried": self.tried,
            "possible": self.possible,
            "best": None if self.best is None else self.best.as_json(),
            "refusal": self.refusal or None,
        }


@dataclass(frozen=True, repr=False)
class Why(StudyResult):
    """Why one battle ended as it did: odds in every round, luck and decisions, the turning point, the best change."""

    battle: Battle
    """The explained battle."""
    branches: int
    """How many rollouts stand behind each of the odds."""
    standings: tuple[RoundOdds, ...] = ()
    """Every round."""
    decisions: tuple[DecisionCost, ...] = ()
    """The most costly decisions of both sides: the loser's first, each side's most costly first."""
    weighed: int = 0
    """How many decisions were weighed."""
    turning_point: TurningPoint | None = None
    """None if no round reduced the loser's odds."""
    searches: tuple[ChangeSearch, ...] = ()
    """The best single change for the loser; after a draw for both sides."""
    deterministic: bool = False
    """True if the battle is free of luck."""
    interrupted: bool = False
    """True if Ctrl-C ended it early; the parts present are complete."""
    seconds: float = 0.0
    threads: int = 1

    @property
    def loser(self) -> int | None:
        """Who lost; None after a draw."""
        return 3 - self.battle.winner if self.battle.winner else None

    @property
    def best_change(self) -> BestChange | None:
        """The best single change for the loser; after a draw the one that gains most."""
        found = [search.best for search in self.searches if search.best is not None]
        return max(found, key=lambda change: change.gain.value, default=None)

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas why --format json` prints."""
        battle, scenario = self.battle, self.battle.scenario
        return {
            "command": "why",
            "ruleset": scenario.ruleset.name,
            "scenario": scenario.id,
            "seed": scenario.seed,
            "profile": scenario.profile,
            "names": list(scenario.ruleset.side_names(scenario.document)),
            "stream": battle.stream,
            "winner": battle.winner,
            "loser": self.loser,
            "reason": battle.reason,
            "rounds": battle.rounds,
            "digest": battle.digest,
            "branches": self.branches,
            "branch_seed": scenario.seed + BRANCH,
            "odds": [standing.as_json() for standing in self.standings],
            "turning_point": None if self.turning_point is None else self.turning_point.as_json(),
            "weighed": self.weighed,
            "decisions": [decision.as_json() for decision in self.decisions],
            "changes": [search.as_json() for search in self.searches],
            "rules_version": scenario.ruleset.rules_version,
            "content_fingerprint": scenario.fingerprint,
            "deterministic": self.deterministic,
            "interrupted": self.interrupted,
            "timing": {"seconds": round(self.seconds, 6), "threads": self.threads},
        }

    def __repr__(self) -> str:
        return f"<Why {self.battle!r}: {len(self.standings)} rounds, {self.weighed} decisions>"
