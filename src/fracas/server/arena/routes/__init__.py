"""Routes of the arena: leagues, entries, the queue, matches, profiles and classes."""
