"""Bench: Pinyon's speed against its raw parts, as ratios inside one run. `python -m bench --help`.

Each section is a module with one function: a world (a store of so many records) in, figures out.
"""

import os

# Before numpy is loaded: the idle threads of its BLAS go on spinning for a while after a product,
# and CPU time, which counts all threads, would charge whoever is measured next.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
