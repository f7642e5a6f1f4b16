"""What the lab asks: sides, search space, decision points, statistics, generator."""
