"""Bounds of a trace's time on a platform, as numbers and as formulas; and what its longest path is made of."""
