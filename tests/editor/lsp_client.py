"""A client of the language server: a process that is talked to by JSON-RPC, and the edits that it answers."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[2]
URI = "file:///models/pi%20test.pam"
PI = (ROOT / "samples" / "pamela" / "pi.pam").read_text()
PATIENCE = 60


class Client:
    """Sends requests and keeps what comes back."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.serial = 0
        self.version = 0
        self.answers: Queue[dict[str, Any]] = Queue()
        self.told: Queue[dict[str, Any]] = Queue()
        assert process.stdout is not None
        threading.Thread(target=self._listen, args=(process.stdout,), daemon=True).start()

    def _listen(self, stream: IO[bytes]) -> None:
        while True:
            length = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length"):
                    length = int(line.partition(b":")[2])
            if not length:
                return
            message = json.loads(stream.read(length))
            (self.answers if "id" in message and "method" not in message else self.told).put(message)

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        self.process.stdin.flush()

    def notify(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.serial += 1
        self._send({"id": self.serial, "method": method, "params": params})
        found = self.answers.get(timeout=PATIENCE)
        assert found["id"] == self.serial
        return found

    def result(self, method: str, **params: Any) -> Any:
        answer = self.ask(method, **params)
        assert "error" not in answer, answer
        return answer["result"]

    def diagnostics(self) -> list[dict[str, Any]]:
        while True:
            message = self.told.get(timeout=PATIENCE)
            if message["method"] == "textDocument/publishDiagnostics":
                found: list[dict[str, Any]] = message["params"]["diagnostics"]
                return found

    def open(self, text: str, uri: str = URI) -> list[dict[str, Any]]:
        item = {"uri": uri, "languageId": "pamela", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=item)
        return self.diagnostics()

    def change(self, text: str) -> list[dict[str, Any]]:
        self.version += 1
        where = {"uri": URI, "version": self.version}
        self.notify("textDocument/didChange", textDocument=where, contentChanges=[{"text": text}])
        return self.diagnostics()

    def at(self, method: str, text: str, word: str, skip: int = 0, **more: Any) -> Any:
        return self.result(method, textDocument={"uri": URI}, position=place(text, word, skip), **more)


def place(text: str, word: str, skip: int = 0) -> dict[str, int]:
    """The position of a word, or of one after it."""
    at = -1
    for _ in range(skip + 1):
        at = text.index(word, at + 1)
    before = text[:at]
    column = len(before.rpartition("\n")[2].encode("utf-16-le")) // 2
    return {"line": before.count("\n"), "character": column}


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """A text of ASCII after edits, in any order."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def offset(position: dict[str, int]) -> int:
        return starts[position["line"]] + position["character"]

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text


@contextmanager
def connected() -> Iterator[Client]:
    """A client with the sample pi open, on the machines of join-2005."""
    command = [sys.executable, "-m", "apet.cli.main", "lsp", "--stdio"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        client = Client(process)
        options = {"machines": "join-2005"}
        found = client.result(
            "initialize", processId=None, rootUri=None, capabilities={}, initializationOptions=options
        )
        assert found["serverInfo"]["name"] == "apet"
        assert found["capabilities"]["renameProvider"]
        client.notify("initialized")
        client.open(PI)
        yield client
        client.result("shutdown")
        client.notify("exit")
        assert process.wait(timeout=PATIENCE) == 0
