"""Many battles and what they tell."""
