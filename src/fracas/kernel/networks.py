"""Evaluates trained policies: small networks of whole numbers over what a side sees.

A network scores every legal action. Its inputs are the first numbers of an observation, which slot acts, the block of
the one who acts and the block of the action's target; between inputs and scores there is one layer of rectified units.
All arithmetic is in integers, so plain, compiled and WebAssembly runs agree. docs/reference/policy-files.md has the
form.

An observation is described by eight numbers, in this order wherever a kernel takes `shape`:

    common    how many numbers at its start are inputs as they are
    places    how many slots are told apart by an input of their own
    width     how many numbers make the block of one slot; blocks follow the common numbers
    blocks    how many blocks there are
    targets   an action is choice * targets + target; a target from `blocks` on is none
    plain     the first action without a target; it and those after it are choices of their own
    actions   how many actions there are
    acting    which entry of a block is 1 if its one acts; of several the first block counts
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.records import record

# Sizes
MAX_HIDDEN = 64
MAX_WEIGHTS = 1 << 13
WEIGHT_MASK = MAX_WEIGHTS - 1
HIDDEN_MASK = MAX_HIDDEN - 1
# Bits behind the point: of inputs and of the layer in between, of weights, and so of a score
INPUT_BITS = 10
WEIGHT_BITS = 16
SCORE_BITS = INPUT_BITS + WEIGHT_BITS
INPUT_UNIT = 1 << INPUT_BITS
LARGEST_INPUT = 1 << 20
# Shares of a mix: the best action's, and the bits behind the point of a distance between scores
SHARE_BITS = 20
DISTANCE_BITS = 16

# `inputs` is 0 if there is no network. Weights are the first layer by input, its biases, the second layer by choice,
# its biases. `mixes` is 1 if actions are drawn by their scores, else the best is taken.
network_t = record(
    ("inputs", np.int64),
    ("hidden", np.int64),
    ("choices", np.int64),
    ("mixes", np.int64),
    ("weights", np.int32, (MAX_WEIGHTS,)),
)


# The lengths of a record without a network, for kernel/narrowing.py.
WITHOUT_NETWORKS = {
    "networks.weights": 2,
    "thought.seen": 1,
    "thought.mask": 8,
    "thought.shared": 1,
    "thought.sums": 1,
}


def have_room(networks: Any, others: Any) -> bool:
    """Whether the trained policies of a battle fit into the arrays of another one."""
    used = [(each.inputs + 1) * each.hidden + (each.hidden + 1) * each.choices for each in networks if each.inputs]
    return max(used, default=0) <= len(others[0].weights)


def thought_type(features: int, actions: int) -> np.dtype[Any]:
    """The record in which a battle works out a network's action. Nothing of it is read in the next turn."""
    return record(
        ("action", np.int64),
        ("seen", np.float64, (features,)),
        ("mask", np.uint8, ((actions + 7) // 8 * 8,)),
        ("shared", np.int64, (MAX_HIDDEN,)),
        ("sums", np.int64, (MAX_HIDDEN,)),
    )


@kernel
def has_network(network) -> bool:
    """Whether a side is played by a trained policy."""
    return network.inputs != 0


@kernel
def rounded_input(value) -> int:
    """A number of an observation as an input: float32, as agents see it, rounded down to 1/1024."""
    whole = math.floor(np.float32(value) * 1024.0)
    return min(max(whole, -LARGEST_INPUT), LARGEST_INPUT)


@kernel_noinline
def add_inputs(network, sums, seen, first: int, count: int, row: int) -> None:
    """Add numbers of an observation to the sums of the layer in between; `row` is the first one's input."""
    hidden = network.hidden
    for index in range(count):
        value = rounded_input(seen[first + index])
        if value != 0:
            start = (row + index) * hidden
            for unit in range(hidden):
                sums[unit & HIDDEN_MASK] += value * int(network.weights[start + unit & WEIGHT_MASK])


@kernel
def acting_block(seen, shape) -> int:
    """The block of the one who acts; NOBODY if there is none."""
    common, width, blocks, acting = shape[0], shape[2], shape[3], shape[7]
    for block in range(blocks):
        if seen[common + block * width + acting] != 0.0:
            return block
    return NOBODY


@kernel
def begin_thought(network, thought, shape) -> None:
    """Work out what all actions share: biases, the common numbers, who acts."""
    common, places, width = shape[0], shape[1], shape[2]
    hidden = network.hidden
    for unit in range(hidden):
        bias = int(network.weights[network.inputs * hidden + unit & WEIGHT_MASK])
        thought.shared[unit & HIDDEN_MASK] = bias * INPUT_UNIT
    add_inputs(network, thought.shared, thought.seen, 0, common, 0)
    own = acting_block(thought.seen, shape)
    if own == NOBODY:
        return
    if own < places:
        start = (common + own) * hidden
        for unit in range(hidden):
            thought.shared[unit & HIDDEN_MASK] += INPUT_UNIT * int(network.weights[start + unit & WEIGHT_MASK])
    add_inputs(network, thought.shared, thought.seen, common + own * width, width, common + places)


@kernel_noinline
def score_of(network, thought, action: int, shape) -> int:
    """The score of an action."""
    common, places, width, blocks, targets, plain = shape[0], shape[1], shape[2], shape[3], shape[4], shape[5]
    hidden = network.hidden
    for unit in range(hidden):
        thought.sums[unit & HIDDEN_MASK] = thought.shared[unit & HIDDEN_MASK]
    choice = action // targets
    if action >= plain:
        choice = plain // targets + action - plain
    elif action % targets < blocks:
        first = common + action % targets * width
        add_inputs(network, thought.sums, thought.seen, first, width, common + places + width)
    start = (network.inputs + 1 + choice) * hidden
    score = INPUT_UNIT * int(network.weights[(network.inputs + 1 + network.choices) * hidden + choice & WEIGHT_MASK])
    for unit in range(hidden):
        active = min(max(thought.sums[unit & HIDDEN_MASK] >> WEIGHT_BITS, 0), LARGEST_INPUT)
        score += active * int(network.weights[start + unit & WEIGHT_MASK])
    return score


@kernel
def best_action(network, thought, shape) -> int:
    """The legal action with the highest score, the first of equals; NOBODY if none is legal."""
    begin_thought(network, thought, shape)
    best, most = NOBODY, 0
    for action in range(shape[6]):
        if thought.mask[action] != 0:
            score = score_of(network, thought, action, shape)
            if best == NOBODY or score > most:
                best, most = action, score
    return best


@kernel
def share_in_mix(network, thought, action: int, most: int, shape) -> int:
    """How often an action is drawn, relative to the best one, whose share is 2^20: half as often for each point less.

    Between whole points the share follows a straight line.
    """
    if thought.mask[action] == 0:
        return 0
    distance = most - score_of(network, thought, action, shape) >> SCORE_BITS - DISTANCE_BITS
    whole = distance >> DISTANCE_BITS
    if whole > SHARE_BITS:
        return 0
    rest = distance & (1 << DISTANCE_BITS) - 1
    return (2 << DISTANCE_BITS) - rest << SHARE_BITS - DISTANCE_BITS - 1 >> whole
