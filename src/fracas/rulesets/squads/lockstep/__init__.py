"""Squads played 64 battles at a time: the fast form of silent battles, with results equal to those of rules/."""
