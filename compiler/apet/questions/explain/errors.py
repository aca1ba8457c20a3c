"""Errors in a request for an explanation."""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic


class BadSampleSize(Diagnostic):
    """A number of samples that cannot be drawn."""

    message = "{samples} samples: {reason}"
    hint = "choose 64, 128, 256, 512, 1024, …"


class NothingVaries(Diagnostic):
    """Variances of inputs of which none is an interval."""

    message = "nothing varies: every operation and parameter has one value"
    hint = "give an interval, e.g. --set q=0.1..0.3, or a machine file with tmin < tmax"
