"""Environments whose episodes are battles: one at a time, for two agents, or a batch of them."""
