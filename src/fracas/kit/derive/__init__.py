"""What follows from a game's declarations: one module a derivation, each usable by itself."""
