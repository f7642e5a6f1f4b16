"""Commands that play one battle."""
