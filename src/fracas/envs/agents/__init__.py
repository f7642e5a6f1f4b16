"""Agents to measure yourself against: random, greedy, look-ahead, tree search, trained; and what they are worth.

`reference_agents` makes them, `NetworkAgent` plays a trained policy, `strength_table` measures all against all.
Needs NumPy alone, no extra.
"""

from fracas.envs.agents.agent import Agent, RandomAgent, SeeingAgent
from fracas.envs.agents.drafters import load_preferences
from fracas.envs.agents.look_ahead import GreedyAgent, LookAheadAgent
from fracas.envs.agents.network import Layers, NetworkAgent
from fracas.envs.agents.policy_file import load_policy, network_of, save_policy
from fracas.envs.agents.strength import Player, Strength, reference_agents, strength_table
from fracas.envs.agents.tree_search import TreeSearchAgent

__all__ = [
    "Agent",
    "GreedyAgent",
    "Layers",
    "LookAheadAgent",
    "NetworkAgent",
    "Player",
    "RandomAgent",
    "SeeingAgent",
    "Strength",
    "TreeSearchAgent",
    "load_policy",
    "load_preferences",
    "network_of",
    "reference_agents",
    "save_policy",
    "strength_table",
]
