"""Campaigns: attacks in order on one world, and committing their results."""
