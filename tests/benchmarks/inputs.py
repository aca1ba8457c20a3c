"""Generated models: a realistic mix, wide ones, deep ones."""

from __future__ import annotations

OPERATIONS = ("sum_int", "mpy_double", "compare", "access", "call")
PER_EQUATION = 50


def mixed(statements: int, per_equation: int = PER_EQUATION) -> str:
    """A model of that many lines, one statement each: equations of operations, loops, uses, sends and branches."""
    lines = ["param P;", "param n = 1000;", "param q = 0.5 in [0, 1];", "resource disk;"]
    left, number, names = max(1, statements - len(lines)), 0, []
    while left > 0:
        count = min(per_equation, left)
        names.append(f"part{number}")
        lines.append(f"part{number}[p] = {{")
        lines += [f"    {_statement(number * per_equation + k)}" for k in range(max(1, count - 3))]
        lines.append("};")
        lines.append(f"whole{number} = par (p = 1, P) part{number}[p];")
        number, left = number + 1, left - count
    return "L = " + "; ".join(f"whole{k}" for k in range(number)) + ";\n" + "\n".join(lines) + "\n"


def _statement(k: int) -> str:
    operation, next_ = OPERATIONS[k % 5], OPERATIONS[(k + 2) % 5]
    match k % 10:
        case 0:
            return f"seq (i = 1, n) {{ {operation}[p]; {next_}[p]; }};"
        case 3:
            return f"use(disk, {operation}[p]);"
        case 5:
            return "send[0, p](8 * n);"
        case 7:
            return f"if (q) {{ {operation}[p]; }} else {{ {next_}[p]; }};"
        case 9:
            return f"seq (i = 1, {k % 97 + 1}) seq (j = i, n) {operation}[p];"
        case _:
            return f"{operation}[p];"


def calls(equations: int) -> str:
    """Small equations of two lines, each called once."""
    lines = [f"part{k}[p] = {{ sum_int[p]; seq (i = 1, {k + 2}) call[p]; }};" for k in range(equations)]
    return "L = " + ";\n".join(f"part{k}[1]" for k in range(equations)) + ";\n" + "\n".join(lines) + "\n"


def flat(statements: int) -> str:
    """One sequence of operations with few different names."""
    return "L = {\n" + "\n".join(f"{OPERATIONS[k % 5]}[1];" for k in range(statements)) + "\n};\n"


def wide(branches: int, terms: int, processors: int) -> str:
    """Branches at once, dealt to the processors in turn, each a sequence of different operations."""
    bodies = ["; ".join(f"op{b % 97}_{t}[{b % processors + 1}]" for t in range(terms)) for b in range(branches)]
    return "L =\n" + "\n||\n".join(f"{{ {body} }}" for body in bodies) + ";\n"


def nested_loops(levels: int) -> str:
    """Loops within loops, each with an operation of its own."""
    head = "".join(f"seq (i{k} = 1, 2) {{ a{k}[1]; " for k in range(levels))
    return f"L = {head}b[1]{' }' * levels};\n"


def nested_branches(levels: int) -> str:
    """`{ a[1]; { b[2] || … } }`, nested."""
    return "L = " + "".join(f"{{ a{k}[1]; {{ b{k}[2] || " for k in range(levels)) + "c[3]" + " } }" * levels + ";\n"


def statements(lines: int) -> str:
    """Lines for parsing alone: equations of ten lines, with loops, expressions, branches and messages."""
    block = (
        "e{k}[p](x) = {{\n    sum_int[p]; mpy_double[p](x * 2 + 1);\n    seq (i = 1, n / 4 + x) {{\n"
        "        access[p];\n        if (q) compare[p] else call[p];\n    }};\n"
        "    send[p, p + 1](8 * x);\n    use(disk, 1.5 ms);\n    par (j = 1, 4) call[j];\n}};\n"
    )
    head = "param P; param n; param q; resource disk; L = par (p = 1, P) e0[p](n);\n"
    return head + "".join(block.format(k=k) for k in range(lines // 10))
