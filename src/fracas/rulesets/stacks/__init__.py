"""stacks: a stack attacks a tile, and its neighbours are drawn in; moves are plug-ins chosen by expected value."""
