"""Declarations of every op, trigger, flag, modifier and status of relics."""
