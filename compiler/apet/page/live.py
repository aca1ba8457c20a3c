"""What of a page moves, and what stands around it: of one configuration of a model."""

from __future__ import annotations

from collections.abc import Mapping

from apet.ground.activity import Activity
from apet.ground.interval import Interval, Number
from apet.page import sections
from apet.page.build import Section
from apet.page.numbers import Script, script
from apet.prediction.processor_count import tied
from apet.questions.explain.explain import Explainer
from apet.show.context import PredictionContext

Values = Mapping[str, Number | Interval]


def script_of(
    explainer: Explainer, processors: int | None, settings: Values, values: Mapping[str, Number | Interval]
) -> Script:
    """The formulas as a script; of an open shape those of the last configuration, without sliders for what changes it.

    Where the number of processors does, or other parameters are computed from what does, there is no script; nor where
    P is made of parameters: a slider alone would leave them at odds.
    """
    shaping = explainer.app.shaping
    if tied(explainer.app) or "P" in shaping or any(isinstance(values.get(name), Interval) for name in shaping):
        return Script("", {})
    settled = explainer.settled(processors, settings)
    if settled.app.fixed & set(settled.app.with_sources(settled.app.parameters)):
        return Script("", {})
    return script(settled.app, settled.machines, settled.schedule, values)


def caption(context: PredictionContext) -> str:
    """What is to be seen in the chart."""
    app = context.app
    band = "The band runs from tmin to tmax" if app.on_machines else "The line is the estimate"
    return f"{band}; the pale band, with bounds, is {context.bracket}. The strip below shows the bottleneck."


def footer(context: PredictionContext) -> list[str]:
    """Of what the page is made."""
    model = [f"model {context.app.name}"]
    return [*model, f"machines {context.file}"] if context.app.on_machines else model


def source_of(explainer: Explainer, context: PredictionContext, processors: int | None, values: Values) -> Section:
    """The model with the work of each line."""
    from apet.questions.explain.line_work import line_work

    with Activity("adding up the work of each line"):
        work, complete = line_work(explainer, processors, values)
    return sections.source(context.app, work, complete)
