"""Your own game in one file: what authors import, what is derived from it, and how games are found."""
