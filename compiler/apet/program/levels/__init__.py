"""What a translated program costs: the flat level counts operations, the core level follows the data through a loop.

In: the intermediate representation of methods (`program.ir`). Out: processes of a model.
Start at `flat`; of the core level at `writer`: per loop the maximum of throughput (`units`), recurrences (`paths`)
and memory (`memory`), plus what cannot be overlapped (`events`).
"""

from apet.program.levels.writer import core_text

__all__ = ["core_text"]
