"""Terms of programs, whatever their language: parsers make them, the translator reads them.

Start with `expressions` and `statements`; `declarations` has classes and methods with their bodies, `scan` what bodies
assign, declare and call.
"""

from apet.program.ir import LineColumn as LineColumn
from apet.program.syntax.expressions import *  # noqa: F403  every term is read as `s.Term`
from apet.program.syntax.statements import *  # noqa: F403
