"""Methods: each becomes an equation at its first call."""

from __future__ import annotations

from apet.ground.source import Span
from apet.java.parse import syntax as s
from apet.java.parse import types
from apet.java.translator.algebra import Value, as_value
from apet.java.translator.facts import Known, Lengths, Result, merged
from apet.java.translator.frame import Frame, Job
from apet.java.translator.free_names import free_names
from apet.java.translator.invocation import formal_symbols
from apet.java.translator.ir import Body, Note, Op
from apet.java.translator.mutual_recursion import completed, left_out
from apet.java.translator.operations import is_operation
from apet.java.translator.recursion import unfold
from apet.java.translator.statements import run_all


def body_of(job: Job, method: s.Method) -> Body:
    """A method's equation, translated once; a recursive one in closed form where there is one."""
    if method in job.bodies:
        return completed(job, method)
    job.stack.append(method)
    f, symbols = opened(job, method)
    _arrive(f)
    assert method.body is not None
    around = job.program.get(method.owner)
    for block in around.blocks if around is not None and method is job.entry and method.name == "main" else ():
        run_all(f, block.body.statements if block.body is not None else ())
    run_all(f, method.body.statements)
    job.stack.pop()
    items = f.done()
    job.operations_written += len(items) + f.values_made
    job.results[method] = _result(f)
    name = job.fresh(equation_name(job, method))
    if method.title in job.recursed:
        found = unfold(job, f, name, items, symbols)
    else:
        # What the entry is given are parameters of the model.
        own = () if method is job.entry else symbols
        found = Body(name, tuple(n for n in own if n in free_names(items)), items, method.at)
    job.bodies[method] = found
    job.owners[name] = method
    job.left_out[method] = left_out(job, method, items)
    return found


def opened(job: Job, method: s.Method) -> tuple[Frame, list[str]]:
    """A frame with the formals of a method in scope, and their symbols in order."""
    f = Frame(job, method)
    symbols: list[str] = []
    functions = job.functions.get(method, (None,) * len(method.formals))
    if method in job.captured:
        types_around, known_around = job.captured[method]
        f.types, f.known = dict(types_around), dict(known_around)
    for formal, function in zip(method.formals, functions, strict=False):
        f.types[formal.name] = formal.type
        known, names = formal_known(job, formal)
        f.known[formal.name] = known if function is None else function
        symbols += names
        if method is job.entry:
            for n in names:
                what = (
                    f"formal {formal.name} of {method.name}"
                    if not formal.type.dimensions
                    else f"length of {formal.name}"
                )
                job.parameter(Note(n, f"{f.where(method.at)}: {what}", method.at), exact=True)
    return f, symbols


def formal_known(job: Job, formal: s.Formal) -> tuple[Known, list[str]]:
    """What is known of a formal: its own symbol, or those of its lengths."""
    names = [job.local(n) for n in formal_symbols(formal.name, formal.type)]
    if formal.type.dimensions:
        return Lengths(tuple(as_value(n) for n in names)), names
    return (as_value(names[0]) if names else None), names


def _arrive(f: Frame) -> None:
    """The formals take their values: an assignment each, as published."""
    if f.method is f.job.entry:
        return
    for formal in f.method.formals:
        f.out.append(Op("assign", formal.type, variable=formal.name, store=True, control=True))


def _result(f: Frame) -> Result:
    known: Known = f.returned[0].known if f.returned else None
    for one in f.returned[1:]:
        known = merged(known, one.known)
    kind = f.method.result
    if kind == types.UNKNOWN and f.returned:
        kind = f.returned[0].type
    return Result(kind, known)


def equation_name(job: Job, method: s.Method) -> str:
    """`name`, or `Class_name` where two classes have it, or with its types where it is overloaded."""
    own = job.program.get(method.owner)
    is_constructor = own is not None and method.name == own.name and method in own.constructors
    same = job.program.by_name().get(f"new {method.name}" if is_constructor else method.name, [])
    name = f"new_{method.name}" if is_constructor else method.name
    if len({m.owner for m in same}) > 1 and not name.startswith("new_"):
        name = f"{method.owner}_{name}"
    if len([m for m in same if m.owner == method.owner]) > 1:
        name = "_".join((name, *(types.word(x.type) + "s" * x.type.dimensions for x in method.formals)))
    return f"{method.owner}_{name}" if is_operation(name) else name


def place(job: Job, method: s.Method) -> Span:
    """Where a method's name stands."""
    start = job.source_of(method.owner).offset(*method.at)
    return Span(start, start + len(method.name))


def substituted_value(value: Known) -> Value | None:
    """A number, or None for lengths."""
    return value if isinstance(value, Value) else None
