"""Results of the seeds' tools: what other systems call the parts of an answer.

Each form is made of an answer as every surface has it. What a system promised stands there under
its own name; beside it stands `relevance`, which compares across answers, and no system had.
"""

from collections.abc import Callable, Mapping
from typing import Any

META = ("candidates", "returned", "changed", "warnings", "tiers", "next")
"""What is said of how an answer came about, where there is something to say."""

Hit = Mapping[str, Any]


def _vault(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "results": [_entry(hit) if "record" in hit else _scanned(hit) for hit in answer["hits"]],
        "meta": _meta(answer),
    }


def _scanned(hit: Hit) -> dict[str, Any]:
    return {
        "id": hit["id"],
        "title": hit["title"],
        "score": hit["score"],
        "relevance": hit["relevance"],
        "type": hit["kind"],
        "domain": hit["domain"],
        "tags": hit["tags"],
        "snippet": hit["snippet"],
        "tokenEstimate": hit["tokens"],
    }


FACTORS = {
    "semantic": "semantic",
    "vector": "vector",
    "severity": "severity",
    "temporalDecay": "decay",
    "tagOverlap": "tags",
    "domainMatch": "domain",
}
"""The vault's six signals, and their names here."""


def _entry(hit: Hit) -> dict[str, Any]:
    signals = hit["signals"]
    return {
        "entry": hit["record"],
        "score": hit["score"],
        "relevance": hit["relevance"],
        "breakdown": {name: signals.get(ours, 0.0) for name, ours in FACTORS.items()},
    }


def _entries(found: Mapping[str, Any]) -> dict[str, Any]:
    return {"entries": found["records"]}


TERMS = {
    "vector": "vector",
    "fts": "lexical",
    "recency": "recency",
    "importance": "importance",
}
"""The brain's four signals, and their names here."""


def _brain(answer: Mapping[str, Any]) -> dict[str, Any]:
    meta = answer["meta"]
    weights = {name: meta["weights"].get(ours, 0.0) for name, ours in TERMS.items()}
    return {
        "results": [_weighed(hit, weights) for hit in answer["hits"]],
        "meta": {
            "total_candidates": meta["candidates"],
            "execution_time_ms": meta["ms"],
            "weights": weights,
            **_meta(answer),
        },
    }


def _weighed(hit: Hit, weights: Mapping[str, float]) -> dict[str, Any]:
    """There a signal is what it adds: weight and all, they sum up to the score."""
    signals = hit["signals"]
    return {
        "id": hit["id"],
        "type": hit["kind"],
        "content": hit["record"].get("body", ""),
        "score": hit["score"],
        "relevance": hit["relevance"],
        "signals": {name: weights[name] * signals.get(ours, 0.0) for name, ours in TERMS.items()},
        "data": hit["record"],
    }


CHANNELS = {"vector": "vector", "bm25": "lexical", "graph": "graph"}
"""The spec kit's three ways to find something, and their names here."""


def _spec(answer: Mapping[str, Any]) -> dict[str, Any]:
    meta = {"intent": answer["meta"]["intent"], **_meta(answer)}
    return {"results": [_fused(hit) for hit in answer["hits"]], "meta": meta}


def _fused(hit: Hit) -> dict[str, Any]:
    ranks = {name: hit["sources"].get(ours) for name, ours in CHANNELS.items()}
    found = [name for name, rank in ranks.items() if rank is not None]
    return {
        "id": hit["id"],
        "title": hit["title"],
        "content": hit["record"].get("body", ""),
        "snippet": hit["snippet"],
        "rrfScore": hit["score"],
        "relevance": hit["relevance"],
        "sources": found,
        "sourceCount": len(found),
        **{f"{name}Rank": ranks[name] for name in found},
    }


FOUND = ("id", "kind", "title", "score", "relevance", "snippet")


def _graph(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Hits as they are, without what is empty and what only explains them."""
    return {"hits": [_found(hit) for hit in answer["hits"]], "meta": _meta(answer)}


def _found(hit: Hit) -> dict[str, Any]:
    shown = {name: hit[name] for name in FOUND}
    more = ("tags", "scope", "source", "lines", "via", "tier", "record")
    return {**shown, **{name: hit[name] for name in more if hit.get(name)}}


def _meta(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {name: answer["meta"][name] for name in META if answer["meta"].get(name)}


RESULTS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "": dict,
    "vault": _vault,
    "entries": _entries,
    "brain": _brain,
    "spec": _spec,
    "graph": _graph,
}
