"""The page about a prediction, with all its sections."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from apet.api.any_file import machines_of
from apet.api.arguments import SCHEDULES, Value, one_of
from apet.api.predictions import Values, request_of, usual_counts
from apet.cost import Application, CostModel
from apet.ground.activity import over
from apet.ground.diagnostics import ApetError
from apet.ground.resources import located
from apet.machine import Machines
from apet.prediction.processor_count import declared_count
from apet.questions.expected import with_expectations

if TYPE_CHECKING:
    from apet.page.build import Section
    from apet.questions.explain.explain import Explainer

MOST_EXPLAINED = 20_000
"""Nodes of the formula up to which the page says why."""


def report_page(
    app: CostModel,
    machines: Machines | None = None,
    processors: Sequence[int] | None = None,
    *,
    values: Mapping[str, Value] | None = None,
    schedule: str = "static",
    title: str | None = None,
    thorough: bool = True,
    lead: Sequence[Section] = (),
    extra: Sequence[Section] = (),
) -> str:
    """One self-contained HTML page: predictions with sliders, formulas, reasons, work by line, provenance.

    `processors` are the configurations of its table (None: 1, 2, 4, … and all); the last one is explained, unless
    `thorough` is False. `lead` are sections that come first, `extra` those behind the predictions. Raises `ApetError`
    as `predict`.
    """
    from apet.page import live, sections
    from apet.page.build import Heading, page
    from apet.questions.explain.explain import Explainer
    from apet.show.context import PredictionContext

    loaded = machines_of(app, machines)
    explainer = Explainer(app, loaded, one_of("schedule", schedule, SCHEDULES))
    app = explainer.app
    _, settings = request_of(app, None, values)
    wanted = _possible(explainer, settings, loaded) if processors is None else list(processors)
    plain = [explainer.predict(p, settings) for p in over(wanted, "predicting", "configurations")]
    predictions = with_expectations(explainer, plain)
    context = PredictionContext.of(explainer)
    last = predictions[-1].parameters
    program = live.script_of(explainer, wanted[-1], settings, last)
    data = {**program.data, "P": last["P"], "unit": context.unit, "symbol": context.symbol}
    data |= {"processors": context.has_processors, "bracket": context.bracket, "caption": live.caption(context)}
    data["wide"] = not app.on_machines and app.lower != app.upper
    parts: list[Section] = [*lead, *([sections.interactive()] if program.text else [])]
    parts += [sections.predictions(context, predictions), *extra, sections.formulas(app)]
    if thorough and app.T_total.size <= MOST_EXPLAINED:
        parts.append(sections.why(context, explainer.explain(wanted[-1], settings)))
    if isinstance(app, Application):
        parts.append(live.source_of(explainer, context, wanted[-1], settings))
    parts.append(sections.assumptions(context))
    if loaded is not None:
        parts.append(sections.provenance(loaded, app.operations))
    from importlib.metadata import version

    heading = Heading(title or context.title, [context.heading], live.footer(context))
    return page(heading, parts, program.text, data, version("apet"))


def _possible(explainer: Explainer, values: Values, machines: Machines | None) -> list[int | None]:
    """The usual configurations, without those that lack a processor which the model names; all of them stays."""
    *some, every = _usual(explainer.app, machines, values)
    return [*(p for p in some if _works(explainer, p, values)), every]


def _works(explainer: Explainer, processors: int | None, values: Values) -> bool:
    try:
        explainer.predict(processors, values)
    except ApetError:
        return False
    return True


def _usual(app: CostModel, machines: Machines | None, values: Values) -> list[int | None]:
    """1, 2, 4, … and all processors; without machines, and where values decide it, those that the model is about."""
    if machines is None:
        return [app.usual_processors]
    count = declared_count(app, values)
    if count is not None:
        return [count]
    return [*usual_counts(machines.processors)]


def pictures_of(path: str | os.PathLike[str], options: Mapping[str, Any]) -> list[Section]:
    """Sections of a page for a file that is no model of a process."""
    from apet.api.kinds import JOBS, QUEUE, RUNS, TRACE, kind_of
    from apet.page import pictures

    kind = kind_of(located(path))
    if kind == RUNS:
        return pictures.of_runs(path, options)
    if kind == QUEUE:
        return pictures.of_queue(path)
    if kind == TRACE:
        from apet.api.models import read_platform

        return pictures.of_trace(path, *read_platform(options["platform"], options.get("hostfile"), path))
    return pictures.of_jobs(path, options) if kind == JOBS else []
