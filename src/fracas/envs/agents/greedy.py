"""The agent that takes what helps at once."""

from __future__ import annotations

from fracas.envs.agents.look_ahead import LookAheadAgent


class GreedyAgent(LookAheadAgent):
    """Takes the action after which it stands best at its next decision, on average over a few rolls of the dice."""

    def __init__(self, samples: int = 4, name: str = "greedy", seed: str = "greedy") -> None:
        super().__init__(samples, 0, name, seed)
