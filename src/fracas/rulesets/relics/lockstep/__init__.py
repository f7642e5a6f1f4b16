"""The rules of relics for silent battles, 64 side by side. Nobody needs this to read the rules (docs/adr/0033)."""
