"""What is asked of queues beyond their answer: formulas as a cost model, borders of a deadline, curves against jobs.

Start at `cost_model`, which hands a queue over to the questions of any cost model.
"""
