"""Bare agent: a script that imports the SDK of MCP, loads a model and embeds one question.

python bare_agent.py GRAPH TOKENIZER QUESTION
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

    import mcp

    from bench.bare_question import embed

    print(mcp.__name__, embed(*sys.argv[1:]).shape, flush=True)
