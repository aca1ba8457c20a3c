"""What generated Python needs around its expressions: names that are valid and never taken twice, small functions."""

from __future__ import annotations

import keyword
import re
import unicodedata

RESERVED = frozenset(
    (
        *("Fraction", "abs", "float", "int", "isinstance", "math", "max", "min", "range", "round", "sum"),
        *("over", "once", "product", "member", "span", "power", "gather", "peak", "others"),
    )
)
"""What the generated function uses itself; a parameter of such a name is renamed."""

SUPPORT = {
    "once": """def once(make):
    # what is not needed is not computed
    made = []

    def value():
        if not made:
            made.append(make())
        return made[0]

    return value""",
    "product": """def product(*factors):
    # 0 times what has no value is 0
    result, reason = 1, None
    for factor in factors:
        try:
            value = factor()
        except (ArithmeticError, LookupError, ValueError) as error:
            reason = error
            continue
        if value == 0:
            return 0
        result *= value
    if reason is not None:
        raise reason
    return result""",
    "member": """def member(value):
    # the whole number that a subscript is, where it was computed with fractions
    number = round(value)
    if abs(value - number) > 1e-9:
        raise ValueError(f"{value} is no whole number")
    return number""",
    "over": """def over(top, bottom):
    # exact where both are exact
    if isinstance(top, float) or isinstance(bottom, float):
        return top / bottom
    result = Fraction(top) / bottom
    return result.numerator if result.denominator == 1 else result""",
    "span": """def span(low, high):
    return range(math.ceil(low), math.floor(high) + 1)""",
    "power": """def power(base, exponent):
    if isinstance(exponent, int) and not isinstance(base, float):
        result = Fraction(base) ** exponent
        return result.numerator if result.denominator == 1 else result
    return base ** exponent""",
    "gather": """def gather(loads):
    # per member of a resource family: total load, least head, least tail, whether it is used in every run
    uses = {}
    for member, load, head, tail, certain in loads:
        old = uses.get(member, (0, math.inf, math.inf, False))
        uses[member] = (old[0] + load, min(old[1], head), min(old[2], tail), old[3] or certain)
    return uses""",
    "peak": """def peak(loads, servers):
    best = 0
    for member, (load, head, tail, certain) in gather(loads).items():
        if certain or load > 0:
            best = max(best, head + over(load, servers(*member)) + tail)
    return best""",
    "others": """def others(own, everyone, servers):
    theirs = gather(everyone)
    return sum(
        over(theirs[member][0] - mine[0], servers(*member))
        for member, mine in gather(own).items()
        if member in theirs and theirs[member][0] != mine[0]
    )""",
}
"""The small functions that a generated function may need, in the order in which they are put into it."""

NEEDED_BY = {"peak": ("over", "gather"), "others": ("over", "gather")}


class Namer:
    """Gives every thing a name of its own."""

    def __init__(self) -> None:
        self.taken: set[str] = set(RESERVED)

    def fresh(self, wanted: str) -> str:
        """The name asked for, made valid, with a number behind it if it is taken."""
        # Python itself folds identifiers to this normal form, so two names may be one to it.
        plain = re.sub(r"\W", "_", unicodedata.normalize("NFKC", wanted)) or "_"
        if not plain.isidentifier():
            plain = f"_{plain}"
        if keyword.iskeyword(plain):
            plain += "_"
        name, attempt = plain, 1
        while name in self.taken or not name.isidentifier():
            attempt += 1
            name = f"{plain}_{attempt}"
        self.taken.add(name)
        return name


def quoted(name: str) -> str:
    """A name as it may stand in a docstring: nothing in it ends the docstring or continues it as code."""
    return name.encode("unicode_escape").decode("ascii").replace('"', '\\"')
