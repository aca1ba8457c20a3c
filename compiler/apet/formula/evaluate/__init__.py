"""The value of a formula at one configuration: as exact number, as interval, with derivatives.

In: a node and an `Environment` that knows symbols and operation times. Out: a number or an interval.
Start at `evaluation` (the plan and its steps), then `interpreter` (what each kind of node does).
"""
