"""Holding a server for the whole of a body."""

from __future__ import annotations

from collections.abc import Iterator

from apet.ground.source import Span
from apet.simulator.engine import Engine, Process, ProgramNode, ResourceServer, Scope


def begin_hold(
    engine: Engine, process: Process, server: ResourceServer, body: ProgramNode, scope: Scope, span: Span
) -> bool:
    """Run the body with the server held, unless it is held already; whether the process has to wait for it."""
    if server in process.held:
        process.stack.append((iter((body,)), scope))
        return False
    process.stack.append((_holding(engine, process, server, body), scope))
    return engine.acquire(process, server, span)


def _holding(engine: Engine, process: Process, server: ResourceServer, body: ProgramNode) -> Iterator[ProgramNode]:
    start, before = engine.now, process.held
    process.held = before | {server}
    yield body
    process.held = before
    server.busy += engine.now - start
    engine.release(server)
