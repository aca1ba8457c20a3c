"""The page about a prediction, with all its sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from apet.api.any_file import machines_of
from apet.api.arguments import SCHEDULES, Value, one_of
from apet.api.predictions import Values, request_of, usual_counts
from apet.cost import Application, CostModel
from apet.ground.activity import Activity, over
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.machine import Machines
from apet.prediction.processor_count import declared_count, tied
from apet.questions.expected import with_expectations

if TYPE_CHECKING:
    from apet.page.build import Section
    from apet.page.numbers import Script
    from apet.questions.explain.explain import Explainer
    from apet.show.context import PredictionContext

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
    from apet.page import sections
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
    program = _script(explainer, wanted[-1], settings, last)
    data = {**program.data, "P": last["P"], "unit": context.unit, "symbol": context.symbol}
    data |= {"processors": context.has_processors, "bracket": context.bracket, "caption": _caption(context)}
    data["wide"] = not app.on_machines and app.lower != app.upper
    parts: list[Section] = [*lead, *([sections.interactive()] if program.text else [])]
    parts += [sections.predictions(context, predictions), *extra, sections.formulas(app)]
    if thorough and app.T_total.size <= MOST_EXPLAINED:
        parts.append(sections.why(context, explainer.explain(wanted[-1], settings)))
    if isinstance(app, Application):
        parts.append(_source(explainer, context, wanted[-1], settings))
    parts.append(sections.assumptions(context))
    if loaded is not None:
        parts.append(sections.provenance(loaded, app.operations))
    from importlib.metadata import version

    heading = Heading(title or context.title, [context.heading], _footer(context))
    return page(heading, parts, program.text, data, version("apet"))


def _script(
    explainer: Explainer, processors: int | None, settings: Values, values: Mapping[str, Number | Interval]
) -> Script:
    """The formulas as a script; of an open shape those of the last configuration, without sliders for what changes it.

    Where the number of processors does, or other parameters are computed from what does, there is no script; nor where
    P is made of parameters: a slider alone would leave them at odds.
    """
    from apet.page.numbers import Script, script

    shaping = explainer.app.shaping
    if tied(explainer.app) or "P" in shaping or any(isinstance(values.get(name), Interval) for name in shaping):
        return Script("", {})
    settled = explainer.settled(processors, settings)
    if settled.app.fixed & set(settled.app.with_sources(settled.app.parameters)):
        return Script("", {})
    return script(settled.app, settled.machines, settled.schedule, values)


def _caption(context: PredictionContext) -> str:
    app = context.app
    band = "The band runs from tmin to tmax" if app.on_machines else "The line is the estimate"
    return f"{band}; the pale band, with bounds, is {context.bracket}. The strip below shows the bottleneck."


def _footer(context: PredictionContext) -> list[str]:
    model = [f"model {context.app.name}"]
    return [*model, f"machines {context.file}"] if context.app.on_machines else model


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


def _source(explainer: Explainer, context: PredictionContext, processors: int | None, values: Values) -> Section:
    from apet.page import sections
    from apet.questions.explain.line_work import line_work

    with Activity("adding up the work of each line"):
        work, complete = line_work(explainer, processors, values)
    return sections.source(context.app, work, complete)
