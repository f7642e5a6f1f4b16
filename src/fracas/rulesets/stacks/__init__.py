"""The stacks ruleset: a stack attacks a tile, neighbours join in, and units choose moves by expected value."""
