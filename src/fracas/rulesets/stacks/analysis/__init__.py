"""Answers to the lab's questions: sides, search space, decision points, statistics, random scenarios."""
