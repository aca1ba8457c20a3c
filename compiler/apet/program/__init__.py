"""Programs in one language or another as models of cost: what is counted, and how often, without knowing the language.

In: methods as typed operations with their data flow, loops, branches and calls (`ir`), whose counts are symbolic values
(`algebra`). Out: equations of a model, with names for their symbols (`naming`, `model_text`). Start at `ir`; what the
operations cost is in `levels`. A front end (`java`) reads a language and writes these terms.
"""
