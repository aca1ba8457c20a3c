"""Measures machines and programs on a real JVM: operation costs, trip counts, run times."""
