"""Bench: Pinyon's speed against its raw parts, as ratios inside one run. `python -m bench --help`.

Each section is a module with one function: a world (a store of so many records) in, figures out.
"""
