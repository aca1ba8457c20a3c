"""Mean value analysis of queueing networks: exact, approximate, and bounds without a solution.

In: a network (service demands, think times, populations). Out: throughput, residence times, queue lengths.
Start at `solve` (which method), then `exact_one_class`, `exact_classes`, `schweitzer` (with Linearizer), `convolution`.
"""
