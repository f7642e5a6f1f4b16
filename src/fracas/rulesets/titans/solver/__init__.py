"""Solve a duel by backward induction; its kernels are compiled like rules."""
