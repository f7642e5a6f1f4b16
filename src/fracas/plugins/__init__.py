"""Users' code: found, checked, tried in a process of its own, compiled."""
