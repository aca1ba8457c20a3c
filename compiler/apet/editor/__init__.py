"""Language support for editors: diagnostics, hover, definitions, references, completion, rename and formatting.

In: open texts. Out: answers of the language server (`language_server`), of the formatter (`layout`), and the page that
`apet serve` shows on this machine (`local_page`, which predicts in a limited process, `worker`).
Start at `document`: one open text.
"""
