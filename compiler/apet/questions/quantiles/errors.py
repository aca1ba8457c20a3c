"""What can be wrong with a question for quantiles."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class CannotDraw(Diagnostic):
    """A formula that cannot be evaluated for many draws at once."""

    message: ClassVar[str] = "no draws for {values}: {reason}"
    hint: ClassVar[str] = "{advised}"
    values: str
    reason: str
    advised: str


class TooManyDifferent(Diagnostic):
    """A loop that would have to be walked over."""

    message: ClassVar[str] = "the iterations over {index} differ, and loops of such take more than {most:,} rounds"
    hint: ClassVar[str] = "expectations and --noise independent walk over them; --noise systematic and processor do not"
    index: str
    most: int
