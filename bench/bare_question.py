"""Bare question: a script that loads a model and embeds one question, and nothing else.

python bare_question.py GRAPH TOKENIZER QUESTION
"""

import sys
from typing import Any


def embed(graph: str, tokenizer: str, question: str) -> Any:
    import numpy as np
    import onnxruntime  # type: ignore[import-untyped]
    from tokenizers import Tokenizer

    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    read = Tokenizer.from_file(tokenizer).encode(question)
    ids = np.array([read.ids])
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    wanted = {entry.name for entry in session.get_inputs()}
    return session.run(None, {name: given[name] for name in wanted})[0]


if __name__ == "__main__":
    print(embed(*sys.argv[1:]).shape)
