"""Makes the entry points that play battles decision by decision, many at a time, for agents.

A ruleset passes kernels and gets two entry points, `step_many(step, mode)` with a `Step` of many battles, and
`play_script`:

    step_many = stepper(begin, take, observe, last_hot, see_lasting)
    play_script = scripted(begin, take, legal_actions, actor_of, encode, announce_outcome, write_result)

    begin(battle, agents, cursor, log)          set up, and play on to the first decision of an agent
    take(battle, agents, actions, cursor, log)  carry out the agents' choices; play on to their next decision
    observe(battle, agents, cursor, seen, masks, anew)  what agents see and may choose, in the rows of seen and masks
    see_lasting(battle, side, seen, first)      what lasts, and for how long: entries of a row of seen from `first` on
    legal_actions(battle, side, cursor, mask)   what a side may choose
    actor_of(battle, side, cursor)              who decides for a side now; NOBODY if it has nothing to decide
    encode(battle, side, choice, target)        the action of a choice and a target; NOBODY if there is none
    announce_outcome(battle, log)               write to the log how a battle ended
    write_result(battle, result)                what a ruleset keeps of a battle, as for `batch`

`last_hot` names the last field of the record that most steps read or write; the fields before it are loaded early.
A battle is decided once its `reason` is no longer 0, in every ruleset.
`agents` has the sides that agents play, in order. `cursor` is the battle's place in the order of play.
`anew` is False where `seen` still has what `observe` wrote for an earlier state of the same battle: then only what may
have changed since is written. Nothing is legal for sides that have nothing to decide.

The rules: docs/reference/environments.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from fracas.kernel.dice import seek_stream
from fracas.kernel.entry_points import belongs_to, write_outcome
from fracas.kernel.event_log import NOBODY, SOUND
from fracas.kernel.jit import kernel, without_refcounts
from fracas.kernel.prefetch import prefetch

# What happens after a battle's end: the next step begins another one, the same step does, or nothing until a reset.
# RESETS plays nothing and begins only the battles that are FRESH.
NEXT_STEP, SAME_STEP, DISABLED, RESETS = range(4)
# A battle's state between two steps. IDLE: every stream tried was over before an agent could decide. HELD: this step
# leaves the battle and its rows alone.
FRESH, PLAYING, OVER, IDLE, HELD = range(5)
# The most streams to try for one in which an agent has a decision.
MOST_STREAMS = 64


class Step(NamedTuple):
    """Battles side by side, and what their next step reads and writes: one argument, compiled or not."""

    battles: Any
    """(n,) of the ruleset's battle type."""
    templates: Any
    """(k,) of it, the contents; stream s plays content (s + starts) % k."""
    described: Any
    """(k, a, d) float32, what agents know of each content: the last d entries of what is seen of it."""
    starts: Any
    """(n,) int64, the content of stream 0."""
    keys: Any
    """(n, words) uint32, the keys of the dice."""
    agents: Any
    """(a,) int64, the sides that agents play."""
    actions: Any
    """(n, a) int64, ignored for sides with nothing to decide; one that is not legal by `masks` becomes the first that
    is."""
    legal: Any
    """(n, a) uint8, 0 for an action that was not legal, else 1."""
    streams: Any
    """(n,) int64."""
    stride: int
    """From a battle's stream to its next one."""
    cursors: Any
    """(n, ...) int64."""
    states: Any
    """(n,) int64."""
    seen: Any
    """(n, a, features) float32, as the last step left it unless the mode is RESETS. The first `plain` entries are those
    of `observe`."""
    plain: int
    masks: Any
    """(n, a, actions) int8, as the last step left it."""
    rewards: Any
    """(n, a) float64, 1 for a win, -1 for a defeat, else 0."""
    ended: Any
    """(n,) uint8."""
    finals: Any
    """(n, a, features) float32, the last observation of battles that ended in this step; written for SAME_STEP only.
    With one content its description is there already."""

    def part(self, first: int, end: int) -> Step:
        """The step of some of the battles, in the same arrays."""
        of_all = ("templates", "described", "agents", "stride", "plain")
        rows = {name: value[first:end] for name, value in self._asdict().items() if name not in of_all}
        return self._replace(**rows)


def stepper(
    begin: Callable[..., Any],
    take: Callable[..., Any],
    observe: Callable[..., Any],
    last_hot: str,
    see_lasting: Callable[..., Any] | None = None,
) -> Callable[..., None]:
    """Make the entry point that plays many battles one step on."""
    observes = _observer(observe, see_lasting)

    def step_many(step: Any, mode: Any) -> None:
        """Play each battle on until an agent has to decide again; finished battles restart according to `mode`."""
        battles, templates, agents, streams = step.battles, step.templates, step.agents, step.streams
        states, masks, rewards = step.states, step.masks, step.rewards
        for place in range(len(battles)):
            if states[place] == HELD:
                continue
            battle, cursor, actions = battles[place], step.cursors[place], step.actions[place]
            prefetch(battles, min(place + 1, len(battles) - 1), last_hot)
            step.ended[place] = 0
            for number in range(len(agents)):
                rewards[place, number] = 0.0
                step.legal[place, number] = 1
            is_fresh = states[place] == FRESH
            begins = is_fresh or (states[place] == OVER and mode == NEXT_STEP)
            if states[place] == PLAYING and mode != RESETS:
                for number in range(len(agents)):
                    step.legal[place, number] = make_legal(actions, masks[place, number], number)
                take(battle, agents, actions, cursor, None)
                if is_over(battle):
                    step.ended[place] = 1
                    states[place] = OVER
                    for number in range(len(agents)):
                        rewards[place, number] = reward_of(battle, agents[number])
                    if mode == SAME_STEP:
                        observes(step, battle, cursor, place, step.finals[place], True, len(templates) == 1)
                    begins = mode == SAME_STEP
            if begins:
                tries = 0
                while tries == 0 or (tries < MOST_STREAMS and is_over(battle)):
                    if tries > 0 or not is_fresh:
                        streams[place] += step.stride
                    if len(templates) > 1:
                        battles[place] = templates[content_of(step, place)]
                        for word in range(step.keys.shape[1]):
                            battle.dice.key[word] = step.keys[place, word]
                    seek_stream(battle.dice, streams[place])
                    begin(battle, agents, cursor, None)
                    tries += 1
                states[place] = IDLE if is_over(battle) else PLAYING
            # What is told of a content stays as it is while there is only one.
            is_told = mode != RESETS and (not begins or len(templates) == 1)
            observes(step, battle, cursor, place, step.seen[place], begins or mode == RESETS, is_told)

    return without_refcounts(belongs_to(begin, step_many))


def _observer(observe: Callable[..., Any], see_lasting: Callable[..., Any] | None) -> Callable[..., Any]:
    """Make the kernel that writes all that agents see of one battle, and its masks."""

    @kernel
    def observes(step, battle, cursor, place, seen, anew, is_told):
        """Write what agents see of one battle, and its masks."""
        observe(battle, step.agents, cursor, seen, step.masks[place], anew)

    if see_lasting is None:
        return observes

    @kernel
    def observes_all(step, battle, cursor, place, seen, anew, is_told):
        """Write the same, and behind it what lasts and what the content says; the latter unless it is told."""
        observe(battle, step.agents, cursor, seen, step.masks[place], anew)
        if seen.shape[1] > step.plain:
            for number in range(len(step.agents)):
                see_lasting(battle, step.agents[number], seen[number], step.plain)
            if not is_told:
                described = step.described[content_of(step, place)]
                first = seen.shape[1] - described.shape[1]
                for number in range(len(step.agents)):
                    for entry in range(described.shape[1]):
                        seen[number, first + entry] = described[number, entry]

    return observes_all


@kernel
def content_of(step, place: int) -> int:
    """The content that a battle plays."""
    return (step.streams[place] + step.starts[place]) % len(step.templates)


def scripted(
    begin: Callable[..., Any],
    take: Callable[..., Any],
    legal_actions: Callable[..., Any],
    actor_of: Callable[..., Any],
    encode: Callable[..., Any],
    announce_outcome: Callable[..., Any],
    write_result: Callable[..., Any],
) -> Callable[..., None]:
    """Make the entry point that replays one battle with the decisions of its agents."""

    def play_script(
        battles: Any, stream: Any, agents: Any, script: Any, cursor: Any, mask: Any, actions: Any, results: Any,
        logs: Any, reached: Any,
    ) -> None:  # fmt: skip
        """Play a battle with given decisions, up to its end or to the first illegal one.

        battles: (1,) of battle_t. script: (n, 4) int64, for each decision side, actor, choice, target, in order; for
        simultaneous decisions the lower side first. cursor: (k,) int64, mask: (actions,) int8 and actions: (agents,)
        int64, to work in. results: (1,) of result_t. logs: (1,) of log_t. reached: (2,) int64, how many decisions were
        played, and 1 if the battle is decided; `results` is written only then.
        """
        battle, log = battles[0], logs[0]
        log.count = 0
        log.fault = SOUND
        reached[:] = 0
        seek_stream(battle.dice, stream)
        begin(battle, agents, cursor, log)
        while not is_over(battle):
            for number in range(len(agents)):
                actor = actor_of(battle, agents[number], cursor)
                if actor != NOBODY:
                    if reached[0] >= len(script):
                        return
                    row = script[reached[0]]
                    if row[0] != agents[number] or row[1] != actor:
                        return
                    action = encode(battle, row[0], row[2], row[3])
                    legal_actions(battle, row[0], cursor, mask)
                    if action == NOBODY or mask[action] == 0:
                        return
                    actions[number] = action
                    reached[0] += 1
            take(battle, agents, actions, cursor, log)
        announce_outcome(battle, log)
        write_outcome(battle, log, results[0])
        write_result(battle, results[0])
        reached[1] = 1

    return belongs_to(begin, play_script)


@kernel
def place_of(agents, side: int) -> int:
    """The index of a side among those that agents play; NOBODY if no agent plays it."""
    for number in range(len(agents)):
        if agents[number] == side:
            return number
    return NOBODY


@kernel
def make_legal(actions, mask, number: int) -> int:
    """Replace an action that is not legal by the first legal one; 1 if it was, or if there is nothing to decide."""
    action = actions[number]
    if 0 <= action < len(mask) and mask[action] != 0:
        return 1
    for other in range(len(mask)):
        if mask[other] != 0:
            actions[number] = other
            return 0
    return 1


@kernel
def is_over(battle) -> bool:
    """Whether a battle is decided (each ruleset's README.md, End; `undecided` is the first of its reasons)."""
    return battle.reason != 0


@kernel
def reward_of(battle, side: int) -> float:
    """A side's reward for how a battle ended: 1 for a win, -1 for a defeat, 0 for a draw."""
    if battle.winner == 0:
        return 0.0
    return 1.0 if battle.winner == side + 1 else -1.0
