"""The questions that any cost model answers: explain, solve, compare, regions, quantiles, sweep.

In: a predictor of a cost model. Out: one data type per question, with its text, JSON and picture beside it.
Each package holds one question: the data, the method, `text` and `plots`. Start at `explain.explanation`. What several
questions ask is beside them: `adjusted` machines, `crossings` along one quantity, the `steady_state` of open networks.
"""
