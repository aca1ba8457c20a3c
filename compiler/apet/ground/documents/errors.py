"""What can be wrong with a file of keys and values. `path` is the key path, arrays counted from 1."""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic


class BadSyntax(Diagnostic):
    """A text that is neither TOML nor JSON."""

    message = "this is not {form}: {problem}"
    hint = "files named *.toml are read as TOML, all others as JSON"


class DocumentTooDeep(Diagnostic):
    """A text of thousands of brackets in each other."""

    message = "arrays or tables are nested too deeply"


class NotATable(Diagnostic):
    """A file that holds an array or a number."""

    message = "this should be {expected}"


class Wrong(Diagnostic):
    """An error at a key."""

    message = "{path}: {problem}"
    hint = "{advised}"


class UnknownKey(Diagnostic):
    """A key that does not exist."""

    message = "{path}: there is no such key{suggestion}"
    hint = "keys here: {known}"


class UnitInKey(Diagnostic):
    """A key that lacks its unit, or carries another."""

    message = "{path}: {problem}; the key is '{right}', in {unit}"
    hint = "{conversion}"


class MissingKey(Diagnostic):
    """A key that must be there."""

    message = "{path} is missing"
    hint = "{example}"


class WrongType(Diagnostic):
    """A value of another type."""

    message = "{path} should be {expected}, not {found}"


class TextForNumber(Diagnostic):
    """A text where a number belongs."""

    message = "{path} should be a number, not the text '{text_given}'"
    hint = "{remedy}"


class NotFinite(Diagnostic):
    """Infinity, not-a-number, or too great an integer."""

    message = "{path} should be a finite number, not {value}"


class OutOfRange(Diagnostic):
    """A number that its key does not allow."""

    message = "{path} is {value}, but should be {allowed}"


class EndsExchanged(Diagnostic):
    """An interval from its upper to its lower end."""

    message = "{path}: the lower end {low} is greater than the upper end {high}"
    hint = "an interval is written [lower, upper]"


class DuplicateName(Diagnostic):
    """A name that is taken."""

    message = "{path}: the name '{name}' is taken by {other}"
    hint = "{remedy}"


class NotXml(Diagnostic):
    """A text that is no XML."""

    message = "this is not XML: {problem}"


class Entity(Diagnostic):
    """A file that declares entities."""

    message = "a file may not declare entities ('{name}')"
    hint = "write the text itself where the entity is used"
