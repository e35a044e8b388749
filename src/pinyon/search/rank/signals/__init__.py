"""Signals: one function each: a number for every candidate, from what is known of it.

All lie in [0, 1], but for doc_type and intent, which multiply, and a channel on the scale "raw".
"""

from collections.abc import Callable, Mapping, Sequence

from pinyon.model.hit import Candidate
from pinyon.model.profile import RankSection
from pinyon.search.rank.known import Known
from pinyon.search.rank.signals.age import decay, recency, time
from pinyon.search.rank.signals.channels import agreement, graph, lexical, vector
from pinyon.search.rank.signals.named import domain, name, tags, title
from pinyon.search.rank.signals.semantic import semantic
from pinyon.search.rank.signals.worth import doc_type, importance, intent, severity

Signal = Callable[[Sequence[Candidate], Known, RankSection], list[float]]

SIGNALS: Mapping[str, Signal] = {
    "lexical": lexical,
    "semantic": semantic,
    "vector": vector,
    "graph": graph,
    "severity": severity,
    "decay": decay,
    "recency": recency,
    "importance": importance,
    "tags": tags,
    "domain": domain,
    "doc_type": doc_type,
    "intent": intent,
    "agreement": agreement,
    "title": title,
    "time": time,
    "name": name,
}
