"""Records whose classes take little time to make.

A command makes instances of a few of the 250 kinds of records that it loads. A data class takes 0.6 ms to make, a
`typing.NamedTuple` 0.12 ms, most of it to compile its annotations; a `Record` takes 0.02 ms, a `NamedTuple` of this
file 0.05 ms. With `dataclasses` and what it imports this is 30 ms of a prediction that takes 60.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform


class Frozen:
    """Its fields are what the class annotates, after those of its bases; a class attribute is the default of its field.

    Two are equal if they are of one class and have equal fields.
    """

    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        kinds = cls.__dict__.get("__annotations__", {})  # noqa: RUF063  # inspect takes 10 ms to import
        annotated = [name for name, kind in kinds.items() if not str(kind).startswith("ClassVar")]
        cls._fields = tuple(dict.fromkeys((*cls._fields, *annotated)))

    def __init__(self, *values: Any, **named: Any) -> None:
        names = self._fields
        fields = dict(zip(names, values, strict=False)) | named
        unknown = fields.keys() - set(names)
        missing = [n for n in names if n not in fields and not hasattr(type(self), n)]
        if unknown or missing or len(values) > len(names):
            raise TypeError(f"{type(self).__name__}: unknown {sorted(unknown)}, missing {missing}")
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def _fields_by_name(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._fields}

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._fields_by_name() == self._fields_by_name()

    def __hash__(self) -> int:
        """Of what can be hashed: mappings make no difference."""
        return hash((type(self), *(v for v in self._fields_by_name().values() if not isinstance(v, Mapping))))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in self._fields_by_name().items())})"

    def replace(self, **changes: Any) -> Self:
        """The same record with some fields changed."""
        return type(self)(**self._fields_by_name() | changes)


@dataclass_transform(frozen_default=True)
class Record(Frozen):
    """A frozen record whose fields type checkers know."""

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        """`kw_only` is for type checkers: fields are given by name, so that one without a default may come last."""
        super().__init_subclass__()


if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _Declared(type):
        """Makes a named tuple of a class statement."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            fields = tuple(body.get("__annotations__", ()))
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            if len(bases) > 1:  # generic
                return type(name, (made, *bases[1:]), body | {"__slots__": ()})
            for key, value in body.items():
                setattr(made, key, value)
            return made

    def NamedTuple() -> None:
        """As that of `typing`."""

    _DECLARED = type.__new__(_Declared, "NamedTuple", (), {})
    NamedTuple.__mro_entries__ = lambda bases: (_DECLARED,)
