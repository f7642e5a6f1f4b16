"""Effects: how they are stacked and resolved, and what their ops do."""
