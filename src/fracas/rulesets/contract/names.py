"""The names of the shipped rulesets, which no game may take."""

NAMES = ("squads", "delve", "stacks", "relics", "titans")
