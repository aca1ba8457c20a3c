"""What can be wrong with the form in which an answer is asked for."""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic


class NoPicture(Diagnostic):
    """A picture of an answer that has none."""

    message = "--plot draws nothing here: {what} has no picture"
    hint = "leave --plot out"
