"""Answers to the lab: sides, search space, decision points, statistics, scenario generator."""
