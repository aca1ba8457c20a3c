"""From a log to units of work: how long a task holds its core, what waits for what, which delays no core helps.

Start at `work_graph`, which applies the other rules in turn.
"""
