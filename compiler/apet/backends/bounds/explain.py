"""Why a prediction is what it is: terms, elasticities and crossovers on one configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from apet.analysis import deep_recursion
from apet.analysis.explanation import Crossover, Explanation, Side, Term
from apet.backends.bounds.binding import bind
from apet.backends.bounds.environment import MachineEnvironment
from apet.backends.bounds.predictor import Predictor
from apet.diagnostics import ApetError
from apet.formula.evaluation import EvaluationError
from apet.formula.gradient import Gradient
from apet.formula.nodes import NodeId
from apet.interval import Interval, Number
from apet.machine import Configuration, End

WIDEST = 10**6
"""A crossover is looked for between a parameter's value divided by this and times this."""
BISECTIONS = 30

Values = Mapping[str, Number]
WinnerOf = Callable[[str, Number], int | None]
ENDS: tuple[End, End] = ("tmin", "tmax")


class Explainer(Predictor):
    """A predictor that says why; intervals of parameters are taken at their middle."""

    def explain(
        self, processors: int | None = None, given: Mapping[str, Number | Interval] | None = None
    ) -> Explanation:
        """The explanation for the N fastest processors (None: all) and values of parameters; `ApetError`."""
        configuration = self.machines.configure(processors)
        middle = {n: self._middle(n, v) for n, v in (given or {}).items()}
        with deep_recursion():
            values = self._guarded(lambda: bind(self.app, configuration.P, middle), {}).points
            self._check(configuration, values)
            low, high = self._guarded(lambda: [self._side(configuration, values, end) for end in ENDS], values)
            crossovers = tuple(self._crossovers(configuration, values, middle))
        shown = {"P": configuration.P} | {n: v for n, v in values.items() if n != "P"}
        return Explanation(shown, low, high, crossovers)

    def _middle(self, name: str, value: Number | Interval) -> Number:
        if not isinstance(value, Interval):
            return value
        return int(value.middle) if name in self.app.whole else value.middle

    def _side(self, configuration: Configuration, values: Values, end: End) -> Side:
        found = self._ends(configuration, values, end)
        total = float(found.estimate)
        terms = [
            Term(limit.name, limit.seconds, limit.share, 1 - limit.share if total else 0.0, total - limit.seconds)
            for limit in self._limits(configuration, values, found, end)
        ]
        root = self._candidates()[self._winner(configuration, values, end)][1]
        environment = MachineEnvironment(configuration, end, values, self.schedule)
        contributions, elasticities = self._effects(root, environment, values, total)
        return Side(total, tuple(terms), contributions, elasticities)

    def _effects(
        self, root: NodeId, environment: MachineEnvironment, values: Values, total: float
    ) -> tuple[dict[str, float], dict[str, float]]:
        """Shares by operation, and elasticities of operations and parameters; `tasks` acts through the shares too."""
        if not total:
            return {}, {}
        found = Gradient(self.app.graph, root).derivatives(environment)
        by_name = {n: float(c) / total for n, c in sorted(found.contributions().items())}
        contributions = {n: c for n, c in by_name.items() if n.startswith("t_")}
        elasticities = dict(contributions)
        for name, value in values.items():
            if name != "P" and name not in self.app.processors:
                slope = float(found.symbols.get(name, 0)) * float(value) / total
                elasticities[name] = slope + (by_name.get("share", 0.0) if name == "tasks" else 0.0)
        return contributions, elasticities

    # Which term is the greatest

    def _candidates(self) -> list[tuple[str, NodeId]]:
        found = [(f"T[{r.label}]", r.peak.node) for r in self.app.resources]
        return [("T0", self.app.T0.node), *found]

    def _winner(self, configuration: Configuration, values: Values, end: End) -> int:
        """Which candidate is the greatest; a resource before T0 where they are equal."""
        environment = MachineEnvironment(configuration, end, values, self.schedule)
        _, *candidates = self._plan.run(environment)
        return max(range(len(candidates)), key=lambda k: (candidates[k], k > 0, -k))

    def _crossovers(self, configuration: Configuration, values: Values, given: Values) -> Iterator[Crossover]:
        """The nearest change of the dominating term at tmax, in either direction of each parameter."""
        names = [n for n, _ in self._candidates()]
        now = self._winner(configuration, values, "tmax")

        def winner(name: str, value: Number) -> int | None:
            try:
                moved = bind(self.app, configuration.P, {**given, name: value}).points
                return self._winner(configuration, moved, "tmax")
            except (ApetError, EvaluationError, LookupError, OverflowError):
                return None  # not a value that the parameter may have

        for name, value in values.items():
            if name == "P" or name in self.app.processors or value <= 0:
                continue
            for relation in (">=", "<="):
                inside: Number = value
                for outside in self._probes(name, value, relation == ">="):
                    found = winner(name, outside)
                    if found is None:
                        break
                    if found != now:
                        at, to = self._bisected(name, inside, outside, now, winner)
                        yield Crossover(name, relation, float(at), names[found if to is None else to])
                        break
                    inside = outside

    def _probes(self, name: str, value: Number, up: bool) -> Iterator[Number]:
        """Values twice as far each time, up to the declared range or a factor of a million."""
        low, high = self.app.graph.assumed.get(name, (0, None))
        factor = 2
        while factor < 2 * WIDEST:
            if name in self.app.whole:
                probe: Number = int(value) * factor if up else int(value) // factor
            else:
                probe = float(value) * factor if up else float(value) / factor
            if up and high is not None and probe >= high:
                yield high
                return
            if not up and probe <= max(low, 0):
                yield max(low, 0)
                return
            yield probe
            factor *= 2

    def _bisected(
        self, name: str, inside: Number, outside: Number, now: int, winner: WinnerOf
    ) -> tuple[Number, int | None]:
        """The value nearest to `inside` at which another term is the greatest, and which."""
        to: int | None = None
        for _ in range(BISECTIONS):
            whole = name in self.app.whole
            middle: Number = (int(inside) + int(outside)) // 2 if whole else (float(inside) + float(outside)) / 2
            if middle in (inside, outside):
                break
            found = winner(name, middle)
            if found == now or found is None:
                inside = middle
            else:
                outside, to = middle, found
        return outside, to
