"""Explains why a battle ended as it did, by rollouts from its decision points."""
