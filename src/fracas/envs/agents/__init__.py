"""Agents to measure yourself against: random, greedy, look-ahead, tree search, trained; and what they are worth.

`score_card` says what your agent is worth, `strength_table` measures all against all, `reference_agents` makes the
players of both, `NetworkAgent` plays a trained policy. Needs NumPy alone, no extra.
"""

from fracas.envs.agents.agent import Agent, RandomAgent, SeeingAgent
from fracas.envs.agents.card import Card, CardEntry, score_card
from fracas.envs.agents.drafters import Drafter, load_preferences
from fracas.envs.agents.look_ahead import GreedyAgent, LookAheadAgent
from fracas.envs.agents.network import Layers, NetworkAgent
from fracas.envs.agents.players import Player, player_of, reference_agents
from fracas.envs.agents.policy_file import load_policy, network_of, save_policy
from fracas.envs.agents.strength import Strength, strength_table
from fracas.envs.agents.tree_search import TreeSearchAgent

__all__ = [
    "Agent",
    "Card",
    "CardEntry",
    "Drafter",
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
    "player_of",
    "reference_agents",
    "save_policy",
    "score_card",
    "strength_table",
]
