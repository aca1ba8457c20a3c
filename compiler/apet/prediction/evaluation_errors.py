"""What may go wrong while formulas are evaluated, as errors that name the values of parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from apet.formula.evaluate.environment import EvaluationError
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.machine import MissingNetwork
from apet.machine.fitted import OutsideFit
from apet.prediction import errors

LONGEST_SHOWN = 10**15


@contextmanager
def evaluation_errors(values: Mapping[str, Number | Interval], machines: str) -> Iterator[None]:
    """`ApetError` for what evaluation raises in this context; `machines` is the file of the machine model."""
    try:
        yield
    except EvaluationError as error:
        raise ApetError(errors.NotEvaluable(None, None, describe(values), str(error))) from None
    except OverflowError:
        raise ApetError(errors.NotEvaluable(None, None, describe(values), "a number is too large")) from None
    except OutsideFit as error:
        raise ApetError(errors.OutsideRuns(None, None, str(error))) from None
    except IndexError as error:
        raise ApetError(errors.NoSuchProcessor(None, None, str(error))) from None
    except MissingNetwork:
        raise ApetError(errors.MessagesWithoutNetwork(None, None, machines)) from None


def describe(values: Mapping[str, Number | Interval]) -> str:
    """Values of parameters as `P = 4, n = 10`."""
    settings = []
    for name, value in values.items():
        ends = (value.lo, value.hi) if isinstance(value, Interval) else (value,)
        settings.append(f"{name} = {'..'.join(map(_shown, ends))}")
    return ", ".join(settings)


def _shown(value: Number) -> str:
    return str(value) if isinstance(value, int) and abs(value) < LONGEST_SHOWN else f"{float(value):.10g}"
