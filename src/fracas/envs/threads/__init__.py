"""Threads that step a batch together: a team, the compiled code its threads run, and the words they share."""
