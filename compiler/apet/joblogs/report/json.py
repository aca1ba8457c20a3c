"""The answer about a log as JSON; its keys are in the reference of job logs."""

from __future__ import annotations

import json
from typing import Any

from apet.joblogs.answer import CorePrediction, JobLogAnswer
from apet.joblogs.limits import by_kind

MOST_SPANS = 20


def joblog_json(answer: JobLogAnswer, version: str) -> str:
    """One object; times in seconds. What a log cannot give is null."""
    log, waste = answer.log, answer.waste
    content: dict[str, Any] = {
        "apet": version,
        "log": log.name,
        "engine": log.engine,
        "engine_version": log.version,
        "complete": log.complete,
        "jobs": len(log.jobs),
        "stages": len(set(log.tasks.stage)),
        "tasks": answer.tasks,
        "cores": answer.cores,
        "jobs_at_once": answer.jobs,
        "measured_s": answer.measured,
        "own_run_error": answer.error,
        "work_core_s": answer.work,
        "driver_s": answer.driver,
        "floor_s": answer.floor,
        "knee_cores": answer.knee,
        "own_runs": [run._asdict() for run in answer.own_runs],
        "bounds": "guaranteed" if answer.sure else "estimated",
        "predictions": [_prediction(p) for p in answer.predictions],
        "limits": {
            "by_kind": by_kind(answer.limits),
            "spans": [
                {"name": s.name, "kind": s.kind, "tasks": s.tasks, "seconds": s.seconds, "share": s.share}
                for s in answer.limits[:MOST_SPANS]
            ],
        },
        "wasted_core_s": {
            "driver": waste.driver,
            "too_few_tasks": waste.few,
            "skew": waste.skew,
            "failed_attempts": waste.lost,
        },
        "notes": list(answer.notes),
    }
    return json.dumps(content, indent=2, ensure_ascii=False)


def _prediction(prediction: CorePrediction) -> dict[str, Any]:
    return {
        "cores": prediction.cores,
        "estimate_s": prediction.estimate,
        "lower_s": prediction.lower,
        "upper_s": prediction.upper,
        "core_hours": prediction.core_hours,
        "used": prediction.used,
        "responses_s": list(prediction.responses),
    }
