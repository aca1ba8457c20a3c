"""Features of the language server that help while one writes: quick fixes, signatures, the cost of each equation."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from apet.editor.document import OpenDocument
from apet.editor.places import offset_of, position_of, range_of
from apet.editor.quick_fixes import quick_fixes
from apet.editor.signatures import signature_at
from apet.show.formula_lines import text_of

FOLDED, LONGEST = 4, 60
"""Terms of a sum, and characters, up to which the cost of an equation stands behind it."""


def help_writing(server: LanguageServer, document_of: Callable[[str], OpenDocument]) -> None:
    """Register the features; `document_of` gives the open document of a URI."""

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
    def _(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return _actions(document_of(params.text_document.uri), params)

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(["[", "(", ","]))
    def _(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        document = document_of(params.text_document.uri)
        signature = signature_at(document.source.text, offset_of(document.source, params.position))
        if signature is None:
            return None
        parameters = [lsp.ParameterInformation(span) for span in signature.parameters]
        information = lsp.SignatureInformation(signature.label, signature.meaning or None, parameters)
        return lsp.SignatureHelp([information], 0, signature.active)

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def _(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        hints = _costs(document_of(params.text_document.uri))
        return [hint for hint in hints if params.range.start.line <= hint.position.line <= params.range.end.line]


def _actions(document: OpenDocument, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Fixes of the diagnostics that touch the range, those of the client among them by their place."""
    actions = []
    for diagnostic in document.diagnostics:
        for fix in quick_fixes(diagnostic, document.source):
            assert diagnostic.span is not None
            place = range_of(document.source, diagnostic.span)
            if not _touch(place, params.range):
                continue
            edits = [lsp.TextEdit(range_of(document.source, span), text) for span, text in fix.edits]
            fixed = [diagnostic for diagnostic in params.context.diagnostics if diagnostic.range == place]
            edit = lsp.WorkspaceEdit({params.text_document.uri: edits})
            actions.append(lsp.CodeAction(fix.title, lsp.CodeActionKind.QuickFix, fixed, edit=edit))

    return actions


def _touch(one: lsp.Range, other: lsp.Range) -> bool:
    def key(position: lsp.Position) -> tuple[int, int]:
        return position.line, position.character

    return key(one.start) <= key(other.end) and key(other.start) <= key(one.end)


def _costs(document: OpenDocument) -> list[lsp.InlayHint]:
    """At the end of the line in which an equation begins, its time without contention."""
    if document.model is None:
        return []
    hints, source = [], document.source
    for name, cost in document.costs.items():
        whole, text = text_of(cost), text_of(cost, FOLDED)
        label = f"  T0 = {text if len(text) <= LONGEST else text[:LONGEST] + ' …'}"
        line, _ = source.position(document.model.equations[name].span.start)
        at = position_of(source, source.offset(line) + len(source.line(line)))
        hints.append(lsp.InlayHint(at, label, tooltip=f"{name}: time without contention\n{whole}"))
    return hints
