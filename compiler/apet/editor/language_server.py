"""The language server: `Document`s behind the Language Server Protocol 3.17, over standard input and output.

Settings come in `initializationOptions`: `machines` names a machine model whose times hovers show.
"""

from __future__ import annotations

import os
from importlib.metadata import version
from typing import Any
from urllib.parse import unquote, urlparse

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from apet.editor.document import Document
from apet.editor.layout import laid_out
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Source, Span
from apet.machine import Machines, load_machines

SYMBOLS = {
    "parameter": lsp.SymbolKind.Variable,
    "resource": lsp.SymbolKind.Object,
    "equation": lsp.SymbolKind.Function,
}
SEVERITIES = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}


class Server(LanguageServer):
    """The open documents by their URI, each read once per version."""

    def __init__(self) -> None:
        super().__init__("apet", version("apet"), text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.documents: dict[str, Document] = {}
        self.machines: Machines | None = None

    def read(self, uri: str) -> Document:
        """Read the text of a document again and tell the client its mistakes."""
        held = self.workspace.get_text_document(uri)
        document = Document(_name(uri), held.source, self.machines)
        self.documents[uri] = document
        found = [_diagnostic(d, document.source) for d in document.diagnostics]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version=held.version))
        return document

    def document(self, uri: str) -> Document:
        """A document that is open, or is read now."""
        return self.documents.get(uri) or self.read(uri)

    def configure(self, options: Any) -> None:
        """Take the settings of the client; a machine model that cannot be read is told, not fatal."""
        name = options.get("machines") if isinstance(options, dict) else None
        if not isinstance(name, str) or not name:
            return
        try:
            self.machines = load_machines(name)
        except ApetError as error:
            shown = lsp.ShowMessageParams(lsp.MessageType.Warning, f"apet: {error}")
            self.window_show_message(shown)


def serve() -> None:
    """Answer one client on standard input and output until it leaves."""
    with os.fdopen(os.dup(0), "rb") as given, os.fdopen(os.dup(1), "wb") as taken:
        make_server().start_io(given, taken)


def make_server() -> Server:
    """A server with all that it can do."""
    server = Server()
    _follow_texts(server)
    _answer_questions(server)
    _change_texts(server)
    return server


def _follow_texts(server: Server) -> None:
    @server.feature(lsp.INITIALIZED)
    def _(_: lsp.InitializedParams) -> None:
        return

    @server.feature(lsp.INITIALIZE)
    def _(given: lsp.InitializeParams) -> None:
        server.configure(given.initialization_options)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def _(given: lsp.DidOpenTextDocumentParams) -> None:
        server.read(given.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def _(given: lsp.DidChangeTextDocumentParams) -> None:
        server.read(given.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def _(given: lsp.DidCloseTextDocumentParams) -> None:
        uri = given.text_document.uri
        server.documents.pop(uri, None)
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


def _answer_questions(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def _(given: lsp.HoverParams) -> lsp.Hover | None:
        document = server.document(given.text_document.uri)
        found = document.hover(_offset(document.source, given.position))
        if found is None:
            return None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found[1]), _range(document.source, found[0]))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def _(given: lsp.DefinitionParams) -> lsp.Location | None:
        document = server.document(given.text_document.uri)
        found = document.at(_offset(document.source, given.position))
        if found is None or found.meaning.declared is None:
            return None
        return lsp.Location(given.text_document.uri, _range(document.source, found.meaning.declared))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def _(given: lsp.ReferenceParams) -> list[lsp.Location]:
        document = server.document(given.text_document.uri)
        found = document.at(_offset(document.source, given.position))
        if found is None:
            return []
        spans = [
            s
            for s in document.places(found.meaning)
            if given.context.include_declaration or s != found.meaning.declared
        ]
        return [lsp.Location(given.text_document.uri, _range(document.source, span)) for span in spans]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def _(given: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document = server.document(given.text_document.uri)
        found = []
        for name in document.occurrences:
            kind = SYMBOLS.get(name.meaning.kind)
            if kind is not None and name.span == name.meaning.declared:
                where = _range(document.source, name.span)
                found.append(lsp.DocumentSymbol(name.meaning.name, kind, where, where, detail=name.meaning.kind))
        return found

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION)
    def _(given: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        document = server.document(given.text_document.uri)
        return [lsp.CompletionItem(name, kind=_COMPLETED[kind], detail=kind) for name, kind in document.words()]


_COMPLETED = {
    "parameter": lsp.CompletionItemKind.Variable,
    "resource": lsp.CompletionItemKind.Unit,
    "equation": lsp.CompletionItemKind.Function,
    "operation": lsp.CompletionItemKind.Operator,
    "keyword": lsp.CompletionItemKind.Keyword,
    "function": lsp.CompletionItemKind.Function,
}


def _change_texts(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def _(given: lsp.PrepareRenameParams) -> lsp.Range | None:
        document = server.document(given.text_document.uri)
        offset = _offset(document.source, given.position)
        found = document.at(offset)
        if found is None or not document.can_rename(found.meaning):
            return None
        return _range(document.source, found.span)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME)
    def _(given: lsp.RenameParams) -> lsp.WorkspaceEdit:
        document = server.document(given.text_document.uri)
        try:
            spans = document.rename(_offset(document.source, given.position), given.new_name)
        except ValueError as error:
            raise JsonRpcInvalidParams(str(error)) from None
        edits = [lsp.TextEdit(_range(document.source, span), given.new_name) for span in spans]
        return lsp.WorkspaceEdit({given.text_document.uri: edits})

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def _(given: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        document = server.document(given.text_document.uri)
        if document.broken:
            return []
        text = document.source.text
        new = laid_out(text)
        return [] if new == text else [lsp.TextEdit(_range(document.source, Span(0, len(text))), new)]


# Places


def _name(uri: str) -> str:
    path = unquote(urlparse(uri).path)
    return path.rsplit("/", 1)[-1] or uri


def _offset(source: Source, position: lsp.Position) -> int:
    """The offset of a position, whose columns count UTF-16 units; what lies outside the text is its nearest place."""
    last, _ = source.position(len(source.text))
    if position.line >= last:
        return len(source.text)
    line = source.line(position.line + 1)
    before = line.encode("utf-16-le")[: 2 * position.character].decode("utf-16-le", "ignore")
    return source.offset(position.line + 1) + len(before)


def _position(source: Source, offset: int) -> lsp.Position:
    line, column = source.position(offset)
    before = source.line(line)[: column - 1]
    return lsp.Position(line - 1, len(before.encode("utf-16-le")) // 2)


def _range(source: Source, span: Span) -> lsp.Range:
    return lsp.Range(_position(source, span.start), _position(source, span.end))


def _diagnostic(found: Diagnostic, source: Source) -> lsp.Diagnostic:
    """A diagnostic where it stands; one of another file or of none at the start of the text."""
    here = found.source is source and found.span is not None and found.span.start >= 0
    span = found.span if here and found.span is not None else Span(0, 0)
    elsewhere = found.source is not None and found.source is not source
    text = f"{found.source.name}: {found.text}" if elsewhere and found.source is not None else found.text
    message = f"{text}\n{found.advice}" if found.advice else text
    return lsp.Diagnostic(
        _range(source, span),
        message,
        SEVERITIES[found.severity],
        found.public_kind or type(found).__name__,
        source="apet",
    )
