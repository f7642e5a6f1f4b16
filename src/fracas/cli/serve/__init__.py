"""Commands that serve battles to others: `fracas serve` and `fracas server`."""
