"""Random edits of samples that know what texts are made of: words, numbers, lines, brackets and bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

EDITS_AT_ONCE = (1, 1, 1, 2, 3, 6)
MOST_BYTES = 200_000
WORDS = re.compile(rb"[A-Za-z_]\w*|\d[\w.]*|\s+|[^\w\s]")
NUMBERS = re.compile(rb"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
STRANGE_NUMBERS = (
    *(b"0", b"-1", b"-0.0", b"0.5", b"1e308", b"1e-320", b"1e999", b"-1e30", b"nan", b"inf", b"-inf", b"NaN"),
    *(b"9223372036854775807", b"9223372036854775808", b"18446744073709551616", b"2147483648", b"4294967296"),
    *(b"1" * 400, b"9" * 5_000, b"0." + b"3" * 400, b"1e9999999999", b"0x", b"09", b"0b2", b"1_000", b"1/0", b"1/3"),
)
STRANGE_BYTES = (
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"\xc2\x85",
    b"\r",
    b"\x1b]0;",
    b"\xed\xa0\x80",
    b"\xd9\xa3",
)
OPENING = (b"(", b"[", b"{", b"<zone id='z'>", b'"', b"/*", b"#", b"'", b"[[", b"par (i = 1, 9) ", b"if (", b"-", b"a[")
DEEP = (2, 30, 300, 3_000)


def mutated(random: Random, samples: Sequence[bytes]) -> bytes:
    """A sample after a few edits."""
    content = random.choice(samples)
    for _ in range(random.choice(EDITS_AT_ONCE)):
        content = random.choice(EDITS)(random, content, samples)[:MOST_BYTES]
    return content


def _bytes(random: Random, content: bytes, samples: Sequence[bytes]) -> bytes:
    """One byte replaced, or a strange one put in."""
    at = random.randrange(len(content) + 1)
    new = random.choice(STRANGE_BYTES) if random.random() < 0.5 else bytes([random.randrange(256)])
    return content[:at] + new + content[at + random.randrange(2) :]


def _number(random: Random, content: bytes, samples: Sequence[bytes]) -> bytes:
    """A number made another one."""
    places = [m.span() for m in NUMBERS.finditer(content)]
    if not places:
        return content
    start, end = random.choice(places)
    return content[:start] + random.choice(STRANGE_NUMBERS) + content[end:]


def _word(random: Random, content: bytes, samples: Sequence[bytes]) -> bytes:
    """A word taken away, doubled, or replaced by one of any sample."""
    words, others = WORDS.findall(content), WORDS.findall(random.choice(samples))
    if not words or not others:
        return content
    at = random.randrange(len(words))
    words[at : at + 1] = random.choice(([], [words[at]] * 2, [random.choice(others)], [random.choice(words)]))
    return b"".join(words)


def _exchanged(random: Random, content: bytes, samples: Sequence[bytes]) -> bytes:
    """Two words change places."""
    words = WORDS.findall(content)
    if len(words) < 2:
        return content
    a, b = random.randrange(len(words)), random.randrange(len(words))
    words[a], words[b] = words[b], words[a]
    return b"".join(words)


def _line(random: Random, content: bytes, samples: Sequence[bytes]) -> bytes:
    """A line taken away, repeated, or put in from any sample."""
    lines, others = content.splitlines(keepends=True), random.choice(samples).splitlines(keepends=True)
    if not lines or not others:
        return content
    at, often = random.randrange(len(lines)), random.choice((2, 2, 2, 200))
    lines[at : at + 1] = random.choice(([], [lines[at]] * often, [lines[at], random.choice(others)]))
    return b"".join(lines)


def _deeper(random: Random, content: bytes, samples: Sequence[bytes]) -> bytes:
    """Something that opens, many times."""
    at = random.randrange(len(content) + 1)
    return content[:at] + random.choice(OPENING) * random.choice(DEEP) + content[at:]


def _cut(random: Random, content: bytes, samples: Sequence[bytes]) -> bytes:
    """The end cut off, or a piece from the middle."""
    start, end = sorted((random.randrange(len(content) + 1), random.randrange(len(content) + 1)))
    return content[:start] if random.random() < 0.5 else content[:start] + content[end:]


def _encoded(random: Random, content: bytes, samples: Sequence[bytes]) -> bytes:
    """Other line ends or another encoding."""
    if random.random() < 0.1:
        return content.decode("latin-1").encode("utf-16")
    return content.replace(b"\n", random.choice((b"\r\n", b"\r")))


Edit = Callable[[Random, bytes, Sequence[bytes]], bytes]
EDITS: tuple[Edit, ...] = (
    *(_number, _number, _number, _word, _word, _word, _exchanged, _exchanged),
    *(_line, _line, _bytes, _bytes, _deeper, _cut, _encoded),
)
