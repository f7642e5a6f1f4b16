"""Monte Carlo tree search over copies of battles."""

from __future__ import annotations

import math

import numpy as np

from fracas.envs.agents.agent import Agent
from fracas.envs.agents.look_ahead import LookAheadAgent
from fracas.envs.batch import Array, BattleBatch
from fracas.errors import UsageError

MOST_ROLLOUTS = 10_000
# How much a node that was seldom tried is preferred: the constant of UCB1 for values from -1 to 1.
CURIOSITY = 0.7
NO_NODE = -1
# Rounded, because processors compute the last bit in different ways, and tables must be the same on all.
LOGARITHMS = np.array([round(math.log(max(number, 1)), 9) for number in range(MOST_ROLLOUTS + 1)])


class Tree:
    """The trees of n battles: what was tried after which actions, how often, and what came of it."""

    def __init__(self, battles: int, nodes: int, actions: int) -> None:
        self.children = np.full((battles, nodes, actions), NO_NODE, np.int32)
        self.visits = np.zeros((battles, nodes, actions), np.int32)
        self.totals = np.zeros((battles, nodes, actions), np.float32)
        self.sizes = np.ones(battles, np.int32)

    def select(self, rows: Array, nodes: Array, masks: Array) -> Array:
        """The action to try next in each node, by UCB1 (P. Auer, N. Cesa-Bianchi and P. Fischer, 2002)."""
        visits, totals = self.visits[rows, nodes], self.totals[rows, nodes]
        tried = np.maximum(visits, 1)
        logarithm = LOGARITHMS[visits.sum(axis=1, keepdims=True)]
        bounds = np.where(visits > 0, totals / tried + CURIOSITY * np.sqrt(logarithm / tried), np.inf)
        chosen: Array = np.where(masks != 0, bounds, -np.inf).argmax(axis=1)
        return chosen

    def go_on(self, rows: Array, nodes: Array, actions: Array) -> tuple[Array, Array]:
        """The node behind each action, and whether it is new; new ones are added as long as there is room."""
        behind = self.children[rows, nodes, actions]
        is_new = behind == NO_NODE
        has_room = is_new & (self.sizes[rows] < self.children.shape[1])
        added = rows[has_room]
        self.children[added, nodes[has_room], actions[has_room]] = self.sizes[added]
        behind = np.where(has_room, self.sizes[rows], behind)
        self.sizes[added] += 1
        return behind, is_new


class TreeSearchAgent(Agent):
    """Plays each battle many times in copies, follows what went best, and takes what it tried most often.

    The tree is over its own actions; dice and the other side are sampled anew each time ("open loop"). From a new node
    on `steps` decisions are made at random, and the copy counts as in `LookAheadAgent`, which also says how the other
    side plays in copies.

    Args:
        rollouts: How often a battle is played for a decision, 1 to 10,000.
        steps: Decisions that are played on from a new node.
    """

    def __init__(self, rollouts: int = 64, steps: int = 4, name: str = "tree search", seed: str = "tree") -> None:
        if not 1 <= rollouts <= MOST_ROLLOUTS:
            raise UsageError.of("rollouts", f"is {rollouts}; 1 to {MOST_ROLLOUTS:,} are allowed")
        self.name, self.rollouts, self.steps = name, rollouts, steps
        self._player = LookAheadAgent(1, steps, seed=seed)
        self.begin(seed)

    def begin(self, seed: str) -> None:
        self._seed, self._stream = seed, 0
        self._player.begin(seed)

    def choose(self, batch: BattleBatch, number: int) -> Array:
        masks = batch.masks[:, number]
        # With one legal action there is nothing to find out.
        rows = np.flatnonzero(masks.sum(axis=1) > 1)
        chosen: Array = masks.argmax(axis=1)
        if len(rows):
            tree = Tree(len(rows), self.rollouts + 1, masks.shape[1])
            for _ in range(self.rollouts):
                self._roll_out(batch, number, rows, tree)
            chosen[rows] = tree.visits[:, 0].argmax(axis=1)
        return chosen

    def _roll_out(self, batch: BattleBatch, number: int, rows: Array, tree: Tree) -> None:
        """Play a copy of each battle once: down the tree, from a new node on at random; note what came of it."""
        search = self._player.copies(batch, len(rows))
        search.load(batch, rows, self._seed, self._stream)
        self._stream += search.used
        every = np.arange(len(rows))
        nodes, is_inside = np.zeros(len(rows), np.int64), np.ones(len(rows), bool)
        rewards, left = np.zeros(len(rows)), np.full(len(rows), self.steps)
        path: list[tuple[Array, Array, Array]] = []
        while True:
            # Who only waits for the other side is at no node.
            decides = search.masks[: search.used, number].any(axis=1) & search.undecided()
            walks = every[is_inside & decides]
            actions = self._player.at_random(search)
            if len(walks):
                best = tree.select(walks, nodes[walks], search.masks[walks, number])
                actions[walks, number] = best
                path.append((walks, nodes[walks], best))
                behind, is_new = tree.go_on(walks, nodes[walks], best)
                nodes[walks] = np.maximum(behind, 0)
                is_inside[walks] = ~is_new
            left -= ~is_inside & decides
            search.play(actions)
            rewards += search.rewards[: search.used, number]
            if not (search.undecided() & (is_inside | (left > 0))).any():
                break
        values = self._player.values(search, rewards, number)
        for walks, where, best in path:
            tree.visits[walks, where, best] += 1
            tree.totals[walks, where, best] += values[walks]
