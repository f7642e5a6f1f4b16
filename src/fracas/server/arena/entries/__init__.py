"""Entries checked against their league: what they cost, and what they become."""
