"""One chunk of a sweep after the other: rows of a design space to columns of predictions."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.cost import CostModel, Setting, analyse
from apet.cost.exchange import cost_model_from
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.interval import Number
from apet.machine import Machines
from apet.prediction import errors, setting_of
from apet.prediction.columns import BatchPredictor, BatchRows
from apet.prediction.predictor import Predictor
from apet.questions.sweep.errors import NoPrediction
from apet.questions.sweep.model_text import FORMULAS
from apet.questions.sweep.ranges import Cells, exact
from apet.questions.sweep.space import Group, MachineChoice
from apet.questions.sweep.summary import PROCESSORS, TIMES
from apet.questions.sweep.variation import vary
from apet.simulator.trial import trying_deadlocks

if TYPE_CHECKING:
    from apet.questions.sweep.task import SweepTask

Floats = NDArray[np.float64]
KEPT_PREDICTORS = 64
ALWAYS_WRONG = (
    errors.MissingParameter,
    errors.MissingProbability,
    errors.FreeProcessor,
    errors.UnknownParameter,
    errors.ProcessorsFromMachines,
    errors.MissingOperation,
    errors.MessagesWithoutNetwork,
)
"""Errors of the call, which no choice of a point avoids."""


class SweepRows(NamedTuple):
    """Rows of a sweep from number `first` on, as columns.

    `cells` are the columns before the times; `times` are in seconds, 0 where `undefined`; `dominant` are places in
    `dominants`; `cost` is what the front weighs against time.
    """

    first: int
    cells: Mapping[str, Cells]
    times: Mapping[str, Floats]
    dominant: NDArray[np.int32]
    dominants: tuple[str, ...]
    undefined: NDArray[np.bool_]
    cost: Floats


class Evaluator:
    """Computes rows of a task with `threads` threads (None: as many as pay). The last predictors are kept."""

    def __init__(self, task: SweepTask, app: CostModel | None = None, threads: int | None = None) -> None:
        self.task = task
        self.threads = threads
        self._app = app
        self._apps: dict[Any, CostModel] = {}
        self._predictors: OrderedDict[tuple[int, tuple[tuple[str, Number], ...]], BatchPredictor] = OrderedDict()

    def rows(self, first: int, last: int) -> SweepRows:
        """The rows first to last - 1; `ApetError` naming the first without a prediction, unless those are skipped."""
        task, count = self.task, last - first
        out, groups = _Output(count), list(task.space.groups(first, last))
        for group in groups:
            try:
                out.put(group.places, self._run(group, np.arange(len(group.places))))
            except ApetError as error:
                self._singly(out, group, error)

        if out.failed:
            self._refuse(first, *min(out.failed.items()))
        cells = {PROCESSORS: out.processors} | task.space.cells(first, last)

        for group in groups:
            out.processors[group.places] = self._processors(group.choice)
            out.cost[group.places] = self._cost(group.choice)

        return SweepRows(
            first,
            {name: cells[name] for name in task.names},
            dict(zip(TIMES, out.times, strict=True)),
            out.dominant,
            tuple(out.names),
            out.undefined,
            out.cost,
        )

    def _run(self, group: Group, members: Cells) -> BatchRows:
        choice = group.choice
        columns = {name: exact(cells[members]) for name, cells in group.columns.items()}
        rows = self._predictor(choice).run(choice.processors, columns, self.task.fixed)
        return rows

    def _singly(self, out: _Output, group: Group, error: ApetError) -> None:
        """Find the members of a group that have no prediction by halving it."""
        # halving would find every row guilty of an error that none of them avoids
        if any(isinstance(d, ALWAYS_WRONG) for d in error.diagnostics):
            raise error

        waiting = [np.arange(len(group.places))]
        while waiting:
            members = waiting.pop()
            try:
                out.put(group.places[members], self._run(group, members))
                continue
            except ApetError as failure:
                if len(members) > 1:
                    middle = len(members) // 2
                    waiting += [members[middle:], members[:middle]]
                    continue
                place = int(group.places[members[0]])
                out.undefined[place] = True
                if not self.task.skip_undefined:
                    out.failed[place] = failure
                    return

    def _refuse(self, first: int, place: int, error: ApetError) -> None:
        """Name the point; the place in the model stays."""
        space, row = self.task.space, first + place
        setting = ", ".join(f"{name} = {_value_text(value)}" for name, value in self.task.named(row).items())
        advice = "choose other values, or leave such points empty: --skip-undefined"
        diagnostics: list[Diagnostic] = []
        for d in error.diagnostics:
            hint = f"{d.advice}; or leave such points empty: --skip-undefined" if d.advice else advice
            diagnostics.append(NoPrediction(d.source, d.span, f"{row + 1:,}", f"{space.size:,}", setting, d.text, hint))
        raise ApetError(diagnostics)

    def _cost(self, choice: MachineChoice) -> float:
        machines = self._machines(choice)
        if self.task.against == PROCESSORS or machines is None:
            return float(self._processors(choice))
        try:
            used = machines.configure(choice.processors).groups
        except ApetError:
            return 0.0
        return float(sum((g.last - g.first + 1) * Fraction(g.group.cost_per_hour or 0) for g in used))

    def _processors(self, choice: MachineChoice) -> int:
        return self.task.most_processors[choice.machine] if choice.processors is None else choice.processors

    def _machines(self, choice: MachineChoice) -> Machines | None:
        machines = self.task.machines[choice.machine]
        return None if machines is None else vary(machines, choice.quantities)

    def _predictor(self, choice: MachineChoice) -> BatchPredictor:
        key = (choice.machine, choice.quantities)
        predictor_of_rows = self._predictors.get(key)
        if predictor_of_rows is None:
            machines = self._machines(choice)
            predictor = trying_deadlocks(Predictor(self.application(machines), machines, self.task.schedule))
            predictor_of_rows = BatchPredictor(predictor, self.threads)
            self._predictors[key] = predictor_of_rows
            if len(self._predictors) > KEPT_PREDICTORS:
                self._predictors.popitem(last=False)

        self._predictors.move_to_end(key)
        return predictor_of_rows

    def application(self, machines: Machines | None) -> CostModel:
        """The formulas of the model for a machine model; one for each topology."""
        setting = None if machines is None else setting_of(machines, self.task.branches)
        if setting not in self._apps:
            if self._app is None:
                self._app = self._apps[setting] = self._compiled(setting)
            else:
                self._apps[setting] = self._app if setting is None else self._app.under(setting)
        return self._apps[setting]

    def _compiled(self, setting: Setting | None) -> CostModel:
        from apet.ground.source import Source
        from apet.model.pamela import parse

        model = self.task.model
        if model.entry == FORMULAS:
            return cost_model_from(model.text)
        return analyse(parse(Source(model.path, model.text), model.entry), setting)


def _value_text(value: Number | str) -> str:
    return str(value) if isinstance(value, int | str) else repr(float(value))


class _Output:
    """Columns that groups of rows are written into."""

    def __init__(self, count: int) -> None:
        self.times = np.zeros((len(TIMES), count))
        self.dominant = np.zeros(count, dtype=np.int32)
        self.names: dict[str, int] = {}
        self.undefined = np.zeros(count, dtype=np.bool_)
        self.processors = np.zeros(count, dtype=np.int64)
        self.cost = np.zeros(count)
        self.failed: dict[int, ApetError] = {}

    def put(self, places: Cells, rows: BatchRows) -> None:
        """Write the results of the rows at these places."""
        self.times[:, places] = rows[: len(TIMES)]
        codes = [self.names.setdefault(name, len(self.names)) for name in rows.names]
        self.dominant[places] = np.array(codes, dtype=np.int32)[rows.dominant]
