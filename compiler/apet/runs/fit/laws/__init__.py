"""Laws that may hold exactly: sums of a few terms, weighed by their evidence.

In: a curve. Out: ln t at targets, with an interval, and the likeliest sum. Start at `averaged` (all together), then
`structures` (which sums), `evidence` (how well each explains the runs), `noise` (what repetitions and digits say),
`change` (where another law begins).
"""
