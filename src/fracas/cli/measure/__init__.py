"""Commands that play many; file = command."""
