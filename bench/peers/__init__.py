"""Peers: Pinyon beside what people use today, on the same documents, vectors, questions, machine.

`make bench-peers` installs them into an environment of their own and runs `python -m bench.peers`.
One module a peer, each used as its documentation says; `case.py` is what all of them are given.
"""
