"""What an editor asks of a text while it is written: diagnostics, meanings, places, layout.

In: open texts. Out: answers of the language server (`language_server`), of the formatter (`layout`), and the page that
`apet serve` shows on this machine (`local_page`, which predicts in a limited process, `worker`).
Start at `document`: one open text and all that is known of it.
"""
