"""Queueing networks: exact and approximate solutions, and bounds."""
