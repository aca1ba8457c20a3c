"""What can be wrong with a question for quantiles."""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic


class CannotDraw(Diagnostic):
    """A formula that cannot be evaluated for many draws at once."""

    message = "no draws for {values}: {reason}"
    hint = "{advised}"


class TooManyDifferent(Diagnostic):
    """A loop that would have to be walked over."""

    message = "the iterations over {index} differ, and loops of such take more than {most:,} rounds, or long ones"
    hint = "expectations and --noise independent walk over them; --noise systematic and processor do not"
