"""Live tables: two people, or one and a bot, play a game with choices against each other, provably fair."""
