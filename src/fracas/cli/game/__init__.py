"""Commands for games of one's own that play them: `fracas game check`."""
