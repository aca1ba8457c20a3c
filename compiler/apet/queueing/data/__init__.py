"""What files say, in the terms of the field: stations, classes, jobs and their tasks; parameters with domains.

Start at `networks` and `jobs`, then `problems` (what may be asked) and `varied` (the numbers that questions change).
"""
