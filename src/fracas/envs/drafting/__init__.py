"""Environments whose episodes are drafts: an agent chooses a build, and a battle says what it is worth."""
