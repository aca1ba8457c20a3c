"""From source to prediction: the stages of APET in order, and the public API.

    text --parse--> Model --analyse--> Application (formulas) --predict(machines)--> Prediction

Each function does one stage or a run of them; the command line calls nothing else.
"""

from __future__ import annotations

from apet.driver.answers import compare, explain, regions, solve, sweep
from apet.driver.arguments import BRANCHES, SCHEDULES, TOPOLOGIES, Value, parse_value, values
from apet.driver.models import compile, compile_text, load_machines, read, translate
from apet.driver.predictions import predict, predictor, quantiles, simulate
from apet.driver.queues import queue, queue_formulas, read_queue
from apet.driver.runs import answer_runs, extrapolate, read_runs
from apet.driver.traces import check_trace, compile_trace, read_platform, read_trace, replay, trace_bounds

__all__ = [
    "BRANCHES",
    "SCHEDULES",
    "TOPOLOGIES",
    "Value",
    "answer_runs",
    "check_trace",
    "compare",
    "compile",
    "compile_text",
    "compile_trace",
    "explain",
    "extrapolate",
    "load_machines",
    "parse_value",
    "predict",
    "predictor",
    "quantiles",
    "queue",
    "queue_formulas",
    "read",
    "read_platform",
    "read_queue",
    "read_runs",
    "read_trace",
    "regions",
    "replay",
    "simulate",
    "solve",
    "sweep",
    "trace_bounds",
    "translate",
    "values",
]
