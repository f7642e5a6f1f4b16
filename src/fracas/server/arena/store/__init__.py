"""Queries of the arena: people, leaderboards, matches and entries, as what others may see of them."""
