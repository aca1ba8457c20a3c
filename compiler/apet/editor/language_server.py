"""The language server: `OpenDocument`s behind the Language Server Protocol 3.17, over standard input and output.

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

from apet.editor.document import OpenDocument
from apet.editor.layout import laid_out
from apet.editor.places import offset_of, range_of
from apet.editor.writing import help_writing
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Source, Span
from apet.machine import Machines, load_machines

SYMBOLS = {
    "parameter": lsp.SymbolKind.Variable,
    "resource": lsp.SymbolKind.Object,
    "equation": lsp.SymbolKind.Function,
}
SEVERITIES = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}


class ApetLanguageServer(LanguageServer):
    """The open documents by their URI, each read once per version."""

    def __init__(self) -> None:
        super().__init__("apet", version("apet"), text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.documents: dict[str, OpenDocument] = {}
        self.machines: Machines | None = None

    def read(self, uri: str) -> OpenDocument:
        """Read the text of a document again and publish its diagnostics."""
        opened = self.workspace.get_text_document(uri)
        document = OpenDocument(_name(uri), opened.source, self.machines)
        self.documents[uri] = document
        diagnostics = [_diagnostic(d, document.source) for d in document.diagnostics]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics, version=opened.version))
        return document

    def document(self, uri: str) -> OpenDocument:
        """A document that is open, or is read now."""
        return self.documents.get(uri) or self.read(uri)

    def configure(self, options: Any) -> None:
        """Take the settings of the client; a machine model that cannot be read is a warning."""
        name = options.get("machines") if isinstance(options, dict) else None
        if not isinstance(name, str) or not name:
            return
        try:
            self.machines = load_machines(name)
        except ApetError as error:
            message = lsp.ShowMessageParams(lsp.MessageType.Warning, f"apet: {error}")
            self.window_show_message(message)


def serve() -> None:
    """Answer one client on standard input and output until it leaves."""
    with os.fdopen(os.dup(0), "rb") as requests, os.fdopen(os.dup(1), "wb") as answers:
        make_server().start_io(requests, answers)


def make_server() -> ApetLanguageServer:
    """A server with all its features."""
    server = ApetLanguageServer()
    _follow_texts(server)
    _answer_questions(server)
    _change_texts(server)
    help_writing(server, server.document)
    return server


def _follow_texts(server: ApetLanguageServer) -> None:
    @server.feature(lsp.INITIALIZED)
    def _(_: lsp.InitializedParams) -> None:
        return

    @server.feature(lsp.INITIALIZE)
    def _(params: lsp.InitializeParams) -> None:
        server.configure(params.initialization_options)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def _(params: lsp.DidOpenTextDocumentParams) -> None:
        server.read(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def _(params: lsp.DidChangeTextDocumentParams) -> None:
        server.read(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def _(params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.documents.pop(uri, None)
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


def _answer_questions(server: ApetLanguageServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def _(params: lsp.HoverParams) -> lsp.Hover | None:
        document = server.document(params.text_document.uri)
        answer = document.hover(offset_of(document.source, params.position))
        if answer is None:
            return None
        span, markdown = answer
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, markdown), range_of(document.source, span))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def _(params: lsp.DefinitionParams) -> lsp.Location | None:
        document = server.document(params.text_document.uri)
        name = document.at(offset_of(document.source, params.position))
        if name is None or name.meaning.declared is None:
            return None
        return lsp.Location(params.text_document.uri, range_of(document.source, name.meaning.declared))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def _(params: lsp.ReferenceParams) -> list[lsp.Location]:
        document = server.document(params.text_document.uri)
        name = document.at(offset_of(document.source, params.position))
        if name is None:
            return []
        spans = [
            s for s in document.places(name.meaning) if params.context.include_declaration or s != name.meaning.declared
        ]
        return [lsp.Location(params.text_document.uri, range_of(document.source, span)) for span in spans]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def _(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document = server.document(params.text_document.uri)
        symbols = []
        for name in document.occurrences:
            kind = SYMBOLS.get(name.meaning.kind)
            if kind is not None and name.span == name.meaning.declared:
                where = range_of(document.source, name.span)
                symbols.append(lsp.DocumentSymbol(name.meaning.name, kind, where, where, detail=name.meaning.kind))
        return symbols

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION)
    def _(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        document = server.document(params.text_document.uri)
        return [lsp.CompletionItem(name, kind=_COMPLETED[kind], detail=kind) for name, kind in document.words()]


_COMPLETED = {
    "parameter": lsp.CompletionItemKind.Variable,
    "resource": lsp.CompletionItemKind.Unit,
    "equation": lsp.CompletionItemKind.Function,
    "operation": lsp.CompletionItemKind.Operator,
    "keyword": lsp.CompletionItemKind.Keyword,
    "function": lsp.CompletionItemKind.Function,
}


def _change_texts(server: ApetLanguageServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def _(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        document = server.document(params.text_document.uri)
        offset = offset_of(document.source, params.position)
        name = document.at(offset)
        if name is None or not document.can_rename(name.meaning):
            return None
        return range_of(document.source, name.span)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME)
    def _(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        document = server.document(params.text_document.uri)
        try:
            changes = document.rename(offset_of(document.source, params.position), params.new_name)
        except ValueError as error:
            raise JsonRpcInvalidParams(str(error)) from None
        edits = [lsp.TextEdit(range_of(document.source, span), text) for span, text in changes]
        return lsp.WorkspaceEdit({params.text_document.uri: edits})

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def _(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        document = server.document(params.text_document.uri)
        if document.broken:
            return []
        text = document.source.text
        new = laid_out(text)
        return [] if new == text else [lsp.TextEdit(range_of(document.source, Span(0, len(text))), new)]


# Places


def _name(uri: str) -> str:
    path = unquote(urlparse(uri).path)
    return path.rsplit("/", 1)[-1] or uri


def _diagnostic(diagnostic: Diagnostic, source: Source) -> lsp.Diagnostic:
    """A diagnostic where it stands; one of another file or of none at the start of the text."""
    here = diagnostic.source is source and diagnostic.span is not None and diagnostic.span.start >= 0
    span = diagnostic.span if here and diagnostic.span is not None else Span(0, 0)
    text = diagnostic.text
    if diagnostic.source is not None and diagnostic.source is not source:
        text = f"{diagnostic.source.name}: {text}"
    message = f"{text}\n{diagnostic.advice}" if diagnostic.advice else text

    return lsp.Diagnostic(
        range_of(source, span),
        message,
        SEVERITIES[diagnostic.severity],
        diagnostic.public_kind or type(diagnostic).__name__,
        source="apet",
    )
