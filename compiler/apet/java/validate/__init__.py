"""Predicted beside measured: kernels and applications run here, and how well they were predicted.

In: Java kernels or task graphs, a machine file, a JDK. Out: points with measured and predicted times, as text and JSON.
Start at `validation` (kernels) and `running` (applications over sockets).
"""
