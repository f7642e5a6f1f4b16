"""One battle: load a scenario, apply overrides, play it, save it as a replay; campaigns."""
