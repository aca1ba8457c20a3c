"""Formulas for many configurations at once, as arrays with proved error bounds. The only formulas that need numpy."""
