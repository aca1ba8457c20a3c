"""Networks from measurements: tables of throughput and utilization, and traces of requests.

In: texts of files. Out: a `Network` with open classes, whose demands are estimates, and a file that says so. Start at
`demands.py` (the utilization law, solved for demands) and `spans.py` (requests as trees of spans).
"""
