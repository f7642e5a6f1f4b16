"""Titans played 64 duels at a time: the fast form of silent duels, with results equal to those of rules/."""
