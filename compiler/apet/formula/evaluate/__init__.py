"""The value of a formula at one configuration: as exact number, as interval, as array of draws, with derivatives.

In: a node and an `Environment` that knows symbols and operation times. Out: a number, an interval, or an array.
Start at `evaluation` (the plan and its steps), then `interpreter` (what each kind of node does).
"""
