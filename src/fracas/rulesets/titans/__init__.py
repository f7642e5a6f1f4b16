"""titans: duels with simultaneous hidden choices."""
