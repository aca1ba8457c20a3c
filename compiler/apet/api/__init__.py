"""From a source to an answer: the stages of APET in order, and the functions behind `import apet`.

    text --parse--> Model --analyse--> Application (formulas) --predict(machines)--> Prediction

In: paths, texts, numbers as users give them. Out: the result types of the packages below. It is the only package
that knows all sources of cost models and all questions. Start at `models`, then `predictions` and `answers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from apet.api.answers import compare, explain, regions, solve, sweep
    from apet.api.arguments import BRANCHES, SCHEDULES, TOPOLOGIES, Value, parse_value, values
    from apet.api.folding import file_sizes, fold_actions, fold_trace, slot_sizes
    from apet.api.formulas import load_model, machines_of, needs_no_machines
    from apet.api.models import compile, compile_text, load_machines, read, translate
    from apet.api.predictions import predict, predictor, quantiles, simulate
    from apet.api.queues import queue, queue_formulas, read_queue
    from apet.api.report_pictures import pictures_of
    from apet.api.reports import report
    from apet.api.runs import answer_runs, extrapolate, read_runs
    from apet.api.trace_explaining import explain_trace
    from apet.api.trace_forms import convert_trace, trace_volumes
    from apet.api.traces import (
        check_trace,
        check_trace_file,
        compile_trace,
        flat_trace,
        read_platform,
        read_trace,
        replay,
        replay_file,
        trace_bounds,
    )

__all__ = [
    "BRANCHES",
    "SCHEDULES",
    "TOPOLOGIES",
    "Value",
    "answer_runs",
    "check_trace",
    "check_trace_file",
    "compare",
    "compile",
    "compile_text",
    "compile_trace",
    "convert_trace",
    "explain",
    "explain_trace",
    "extrapolate",
    "file_sizes",
    "flat_trace",
    "fold_actions",
    "fold_trace",
    "load_machines",
    "load_model",
    "machines_of",
    "needs_no_machines",
    "parse_value",
    "pictures_of",
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
    "replay_file",
    "report",
    "simulate",
    "slot_sizes",
    "solve",
    "sweep",
    "trace_bounds",
    "trace_volumes",
    "translate",
    "values",
]

_HOMES = {
    "answers": "compare explain regions solve sweep",
    "arguments": "BRANCHES SCHEDULES TOPOLOGIES Value parse_value values",
    "formulas": "needs_no_machines load_model machines_of",
    "models": "compile compile_text load_machines read translate",
    "predictions": "predict predictor quantiles simulate",
    "queues": "queue queue_formulas read_queue",
    "report_pictures": "pictures_of",
    "reports": "report",
    "runs": "answer_runs extrapolate read_runs",
    "folding": "file_sizes fold_actions fold_trace slot_sizes",
    "trace_explaining": "explain_trace",
    "trace_forms": "convert_trace trace_volumes",
    "traces": (
        "check_trace check_trace_file compile_trace flat_trace read_platform read_trace replay replay_file trace_bounds"
    ),
}


def __getattr__(name: str) -> Any:
    """Public names, imported when first asked for: one verb needs few of the stages."""
    home = next((module for module, names in _HOMES.items() if name in names.split()), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
