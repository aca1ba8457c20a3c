"""Bad logs beside their whole messages, and logs that are no text."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.bad_inputs import BadInput, bad_inputs

from apet.cli.main import main


@pytest.mark.parametrize("bad", bad_inputs("joblogs"), ids=str)
def test_the_message_about_a_bad_log_is_the_expected_one(
    bad: BadInput,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    bad.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    code = main(["jobs", bad.name, *bad.arguments])
    said = capsys.readouterr().err.splitlines(keepends=True)
    message = "".join(line for line in said if not line.startswith("note: written anew: "))
    assert code == 2
    if request.config.getoption("--update-golden"):
        bad.accept(message)
    assert message == bad.message


@pytest.mark.parametrize(
    "content",
    [b"", b"\x1f\x8b", gzip.compress(b"", mtime=0), b"LZ4Block\x26", b"\x82SNAPPY\x00", b"ZV\x01", b"\x28\xb5\x2f\xfd"],
)
def test_what_is_no_log_at_all_is_refused(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)
    assert main(["jobs", str(path)]) == 2
    assert "Traceback" not in capsys.readouterr().err
