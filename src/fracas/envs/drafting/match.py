"""One draft and the battle that it ends in: seeds and streams, the reward, the replay, copies to search in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from fracas.engine.battle import Battle, play_battle
from fracas.engine.player import make_player
from fracas.engine.scenario import Scenario, compile_document
from fracas.envs.arguments import actions_of, illegal, options_of, seed_of, shown, side_of, stream_of, whole_number
from fracas.envs.battles.match import MOST_COPIES, Observation
from fracas.envs.battles.search import SEARCH, places_of
from fracas.envs.scenarios import seed_text
from fracas.errors import UsageError
from fracas.kernel.dice import dice_t, seek_stream
from fracas.rulesets.contract.drafts import Array, Draft, DraftSpaces, DraftState
from fracas.rulesets.shared.seeds import fingerprint, key_words

# What offers are drawn with: never the dice of the battle.
OFFERS = "/draft"
MOST_BATTLES = 1 << 16
LAST_STREAM = (1 << 32) - 1


@dataclass(frozen=True, eq=False)
class DraftSnapshot:
    """A draft in the middle, to go back to. It holds no dice."""

    stream: int
    draft: str
    """A hash of the scenario and the side, which `restore` compares. The seed is not in it."""
    state: DraftState
    reward: float
    is_over: bool


# Of which seeds the snapshots are that this process has made: only here, for players may look into a snapshot.
_SEEDS: WeakKeyDictionary[DraftSnapshot, str] = WeakKeyDictionary()


class DraftMatch:
    """Drafts of one side, one after the other; each ends in a battle, or in several that are played for the reward."""

    def __init__(
        self, scenarios: Sequence[Scenario], side: int, battles: int = 1, *, strict: bool = False, version: int = 1
    ) -> None:
        side = side_of(side)
        battles = whole_number("battles", battles, 1, MOST_BATTLES)
        if not scenarios:
            raise UsageError.of("scenario", "has 0 scenarios; at least 1 is needed")
        ruleset = scenarios[0].ruleset
        drafts = ruleset.required(ruleset.draft, "draft", "RULESET", UsageError)
        self.spaces: DraftSpaces = drafts.spaces(version)
        self.strict, self.version, self.place = strict, version, 0
        self.scenarios, self.side, self.battles = tuple(scenarios), side, battles
        self._drafts: list[Draft] = [drafts.start(each.document, side - 1) for each in scenarios]
        self.seed: str | None = None
        self.stream = self.start = 0
        self.state: DraftState | None = None
        self.reward = 0.0
        self.is_over = False

    def copy(self, place: int = 0) -> DraftMatch:
        """Another one with the same content, which has not begun. Without a seed, that of each place is another."""
        other = copy(self)
        other.place = place
        other.seed, other.state, other.stream, other.reward, other.is_over = None, None, 0, 0.0, False
        return other

    @property
    def draft(self) -> Draft:
        """The rules of the draft at hand."""
        return self._drafts[self._content]

    @property
    def _content(self) -> int:
        """Which scenario is played."""
        return (self.stream + self.start) % len(self.scenarios)

    def begin(self, seed: int | None, options: Mapping[str, Any] | None = None) -> None:
        """Begin the next draft; with a seed, draft 0 of that seed; with the option `stream`, that draft.

        Raises:
            UsageError: a seed, a stream or options that are none.
        """
        stream = stream_of(options_of(options), LAST_STREAM)
        start = self.start
        if seed is not None or self.seed is None:
            number = seed_of("seed", seed)
            text, following = seed_text(self.scenarios, number, self.place), 0
            start = self.place if number is None else number
        else:
            text, following = self.seed, self.stream + 1
        self.begin_at(text, following if stream is None else stream, start)

    def begin_at(self, seed: str, stream: int, start: int = 0) -> None:
        """Begin a draft of a seed text by its number; draft 0 is of scenario `start` of those there are, modulo."""
        self.seed, self.stream, self.start = seed, stream, start
        self.reward, self.is_over = 0.0, False
        self.state = self.draft.begin(_dice(seed + OFFERS, stream))

    def current_state(self) -> DraftState:
        """The draft as it stands.

        Raises:
            UsageError: none has begun.
        """
        if self.state is None or self.seed is None:
            raise UsageError.of("step", "there is no draft under way; call reset() first")
        return self.state

    def mask(self) -> Array:
        """Which actions are legal, (actions,) int8."""
        return self.draft.legal_actions(self.current_state())

    def seen(self) -> Observation:
        """What the agent sees."""
        return {"observation": self._observe(self.current_state()), "action_mask": self.mask()}

    def _observe(self, state: DraftState) -> Array:
        return self.draft.observe(state, self.version)

    def play(self, action: int) -> bool:
        """Make a decision; after the last one the battle is played. Whether the action was legal.

        Raises:
            UsageError: no draft is under way.
        """
        was_legal = self.choose(action)
        assert self.state is not None
        assert self.seed is not None
        self.is_over = not self.state.offered
        self.reward = self._reward(self.state, self.seed, self.stream, self.battles) if self.is_over else 0.0
        return was_legal

    def choose(self, action: int) -> bool:
        """As `play`, without the battle after the last decision."""
        state = self.current_state()
        if self.is_over:
            raise UsageError.of("step", "there is no draft under way; call reset() first")
        assert self.seed is not None
        mask = self.mask()
        was_legal = 0 <= action < len(mask) and bool(mask[action])
        if self.strict and not was_legal:
            raise illegal("action", action, mask)
        taken = action if was_legal else int(mask.argmax())
        self.state = self.draft.take(state, taken, _dice(self.seed + OFFERS, self.stream))
        return was_legal

    def worth_of(self, action: int, seed: str, number: int, battles: int, rng: Any) -> float:
        """What an action is worth if the build is completed at random: wins less defeats of so many battles.

        Offers and battles are those of `number` of another seed text, never the draft's own. rng: chooses the rest.
        """
        dice = _dice(seed + OFFERS, number)
        state = self.draft.take(self.current_state(), action, dice)
        while state.offered:
            state = self.draft.take(state, int(rng.choice(np.flatnonzero(self.draft.legal_actions(state)))), dice)
        return self._reward(state, seed, number, battles)

    def value(self, state: DraftState, seed: str, number: int) -> float:
        """Wins less defeats of the battles of a finished draft, as `reward`, with dice of any seed text."""
        return self._reward(state, seed, number, self.battles)

    def _reward(self, state: DraftState, seed: str, stream: int, battles: int) -> float:
        """Wins less defeats, of each battle played: 1 for a win, -1 for a defeat, 0 for a draw."""
        # The document is resolved, so nothing of it has to be looked up again.
        document = {**self.draft.document(state), "seed": seed}
        ruleset = self.scenarios[0].ruleset
        scenario = Scenario(ruleset, document, ruleset.compile(document, {}))
        player = make_player(scenario, logged=False, battles=battles)
        winners = np.asarray(player.play(stream * battles, battles)["winner"])
        won, lost = int((winners == self.side).sum()), int((winners == 3 - self.side).sum())
        return (won - lost) / battles

    def _scenario(self, state: DraftState, seed: str) -> Scenario:
        return compile_document({**self.draft.document(state), "seed": seed}, {})

    def battle(self) -> Battle:
        """The battle that the draft ended in, the first of them if there are several: to save, tell and verify.

        Raises:
            UsageError: the draft is not over.
        """
        if not self.is_over or self.state is None or self.seed is None:
            raise UsageError.of("battle", "the draft is not over yet")
        return play_battle(self._scenario(self.state, self.seed), self.stream * self.battles)

    def snapshot(self) -> DraftSnapshot:
        """The draft as it stands, without its dice."""
        made = DraftSnapshot(self.stream, self._draft_mark(), self.current_state(), self.reward, self.is_over)
        assert self.seed is not None
        _SEEDS[made] = self.seed
        return made

    def restore(self, snapshot: DraftSnapshot) -> None:
        """Go back to a snapshot.

        Raises:
            UsageError: it is of another draft.
        """
        given: Any = snapshot
        if not isinstance(given, DraftSnapshot) or not isinstance(given.state, DraftState):
            raise UsageError.of("snapshot", f"is {shown(snapshot)}; take what snapshot() returns")
        is_other = _SEEDS.get(snapshot) not in (None, self.seed)
        if self.seed is None or is_other or snapshot.draft != self._draft_mark():
            raise UsageError.of("snapshot", "is of another seed, another scenario or another environment")
        if snapshot.stream != self.stream:
            number = f"of draft {snapshot.stream} of this seed"
            raise UsageError.of("snapshot", f"is {number}; this environment plays draft {self.stream}")
        self.state, self.reward, self.is_over = snapshot.state, snapshot.reward, snapshot.is_over

    def _draft_mark(self) -> str:
        """What tells this draft's scenario and side from others; a seed could be found from a hash of it."""
        document = {key: value for key, value in self.scenarios[self._content].document.items() if key != "seed"}
        return fingerprint([document, self.side])

    def search(self, copies: int) -> DraftSearch:
        """Copies of the draft as it stands, which can be stepped.

        Raises:
            UsageError: no draft is under way, or a number of copies outside 1 to 65,536.
        """
        state = self.current_state()
        if self.is_over:
            raise UsageError.of("search", "there is no draft under way; call reset() first")
        return DraftSearch(self, [state] * whole_number("copies", copies, 1, MOST_COPIES))


class DraftSearch:
    """Copies of a draft, which can be stepped, with offers and battles of other dice than the draft's own.

    As `fracas.envs.battles.search.Search`: the same properties and methods.
    """

    def __init__(self, match: DraftMatch, states: Sequence[DraftState], first: int = 0) -> None:
        self._match, self._root, self._first = match, states[0], first
        self._draft, self._seed = match.draft, f"{match.seed}{SEARCH}"
        self._load(states)

    def _load(self, states: Sequence[DraftState]) -> None:
        self._states = list(states)
        self._numbers = list(range(self._first, self._first + len(self._states)))
        self._first += len(self._states)
        self._rewards = np.zeros((len(self._states), 1))

    def __len__(self) -> int:
        """How many copies there are."""
        return len(self._states)

    @property
    def observations(self) -> Array:
        """What the agent sees, (copies, 1, features) float32."""
        return np.stack([self._match._observe(each) for each in self._states])[:, None]

    @property
    def masks(self) -> Array:
        """Which actions are legal, (copies, 1, actions) int8."""
        return np.stack([self._draft.legal_actions(each) for each in self._states])[:, None]

    @property
    def rewards(self) -> Array:
        """The rewards of the last step, (copies, 1) float64."""
        return self._rewards.copy()

    @property
    def ended(self) -> Array:
        """Which copies are over, (copies,) bool."""
        return np.array([not each.offered for each in self._states])

    def restart(self) -> None:
        """Go back to the state that was copied, in all copies, with further dice."""
        self._load([self._root] * len(self))

    def select(self, rows: Any) -> DraftSearch:
        """Copies of some of these copies, with further dice; rows: (m,) places of copies.

        Raises:
            UsageError: rows are no places of copies.
        """
        places = places_of(rows, len(self)).tolist()
        other = DraftSearch(self._match, [self._states[place] for place in places], self._first)
        other._root, self._first = self._root, other._first
        return other

    def step(self, actions: Any) -> tuple[Array, Array]:
        """Make a decision in every copy; the rewards, (copies, 1), and which copies are over, (copies,).

        actions: (copies,). Not read in copies that are over. The last decision plays the battle.

        Raises:
            UsageError: actions of another shape or type, or an illegal one.
        """
        chosen = actions_of(actions, (len(self),)).tolist()
        for place, state in enumerate(self._states):
            mask = self._draft.legal_actions(state)
            if state.offered and not (0 <= chosen[place] < len(mask) and mask[chosen[place]]):
                raise illegal(f"actions[{place}]", chosen[place], mask)
        self._rewards = np.zeros((len(self), 1))
        for place, state in enumerate(self._states):
            if state.offered:
                number = self._numbers[place]
                self._states[place] = after = self._draft.take(state, chosen[place], _dice(self._seed + OFFERS, number))
                if not after.offered:
                    self._rewards[place] = self._match.value(after, self._seed, number)
        return self.rewards, self.ended


def _dice(seed: str, stream: int) -> Any:
    """The dice of a seed text and a stream."""
    record: Any = np.zeros(1, dice_t)[0]
    record.key[:] = key_words(seed)
    seek_stream(record, stream)
    return record
