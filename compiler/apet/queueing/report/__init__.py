"""Answers to queueing problems as text, JSON, tables of growth, formulas and pictures.

In: an answer. Out: text. Start at `text`.
"""
