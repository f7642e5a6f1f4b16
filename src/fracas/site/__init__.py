"""The static site: the player, every example and the components as files for any web host."""
