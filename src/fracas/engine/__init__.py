"""One battle: load a scenario, play it, save it; campaigns."""
