"""The rule systems, one folder each, behind one contract."""
