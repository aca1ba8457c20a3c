"""Replays, checks and bounds of traces as text, JSON and pictures.

In: the results of `traces`. Out: text and pictures. Start at `replay`.
"""
