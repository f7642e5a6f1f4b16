"""The archive: what proves a match after its rules have changed. The module of its rules, and its compiled battles."""
