"""Predictions from runs as text, JSON and a picture.

In: the answer about a curve. Out: text, or a picture. Start at `text`.
"""
