"""The bottleneck map: which term of the time decides where, proved.

In: an application and ranges of one or two parameters. Out: stretches or boxes, each with its greatest term.
Start at `regions` (data), then `mapping`; `proofs` decides a box, `term_map` holds the values of terms over it.
"""
