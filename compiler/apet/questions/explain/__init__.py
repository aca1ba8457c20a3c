"""Why a prediction is what it is: terms, elasticities, crossovers, and what each interval does to the time.

In: a predictor at one configuration. Out: an `Explanation`.
Start at `explanation` (data), then `explain` (the steps); `inputs` lists what can vary, `tornado` and `sobol` weigh it.
"""
