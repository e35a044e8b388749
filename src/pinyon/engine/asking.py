"""Asking: the methods of an engine that answer a question, or give a brief without one."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from pinyon.engine.reading import Reading
from pinyon.model import patience
from pinyon.model.ask import Ask
from pinyon.model.errors import InvalidInput
from pinyon.model.hit import Answer
from pinyon.model.profile import Profile
from pinyon.profiles import load
from pinyon.profiles.configured import configured, over
from pinyon.search.given import checked, given_date, given_filters, given_texts
from pinyon.search.pipeline import search

if TYPE_CHECKING:
    import threading

    from pinyon.search.brief import Brief
    from pinyon.store.contract import View


class Asking(Reading):
    """See Engine."""

    def search(
        self,
        query: str = "",
        *,
        profile: str = "default",
        limit: int = 10,
        mode: str = "match",
        channels: Sequence[str] | None = None,
        kinds: Sequence[str] = (),
        tags: Sequence[str] = (),
        domains: Sequence[str] = (),
        severities: Sequence[str] = (),
        authors: Sequence[str] = (),
        scope: str | Sequence[str] = "",
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        as_of: datetime | str | None = None,
        superseded: bool = False,
        expired: bool = False,
        like: str | None = None,
        fix: bool = True,
        expand: bool = True,
        intent: str = "",
        time: str = "",
        tiers: Sequence[str] = (),
        min_relevance: float | None = None,
        rerank: bool | str = False,
        max_tokens: int = 0,
        group: str = "",
        sort: str = "score",
        cursor: str = "",
        track: bool = True,
        timeout_s: float | None = None,
        stop: "threading.Event | None" = None,
        override: Mapping[str, Any] | None = None,
    ) -> Answer:
        """The best `limit` records.

        Several kinds, domains, severities, authors or scopes mean any of them, several tags all of
        them; a scope means it and everything below; `since` and `until` bound created_at. `as_of`
        asks what was there, and valid, at that moment; a day alone means its end. `superseded` and
        `expired` bring what is else left out. `like` is the id of a record to search by, instead of
        a query. Without `fix` nothing is taken for misspelt, without `expand` no acronym is
        expanded; `intent` says what the wish is instead of letting it be heard; `time` what a time
        in the question does: "off", "signal" or "filter". `tiers` limits the search to these.
        Nothing less relevant than `min_relevance` [0, 1] is in the answer. With `rerank` the best
        are read again by the model of the profile, or by the one that is named; naming a server is
        the consent to send it this question and those texts. `max_tokens` gives the best answer
        that fits. `group` "file" or "record" puts hits that belong together into one,
        `sort` "date" puts the newest first, and `cursor`, meta["next"] of the page before, goes on
        after it. Without `track` the search leaves nothing behind. What is not done
        after `timeout_s`, or when `stop` is set, raises OutOfTime. `override` changes the profile
        for this call, by path."""
        changes = dict(override or {})
        if channels is not None:
            changes["retrieve.channels"] = list(channels)
        if min_relevance is not None:
            # Who says how relevant a hit must be is not told that the question is off topic.
            changes |= {"relevance.least": min_relevance, "relevance.off_topic": 0}
        if not fix:
            changes["understand.fix"] = False
        if not expand:
            changes["understand.expand"] = False
        if intent:
            changes["understand.intent"] = intent
        if time:
            changes["understand.time"] = time
        if rerank:
            changes["rerank.use"] = True
        if rerank and rerank is not True:
            changes["rerank.model"] = rerank
        if superseded:
            changes["retrieve.superseded"] = True
        if expired:
            changes["retrieve.expired"] = True
        ask = checked(
            Ask(
                text=query,
                now=self._clock(),
                limit=limit,
                mode=mode,
                filters=given_filters(
                    kinds=kinds,
                    tags=tags,
                    domains=domains,
                    severities=severities,
                    authors=authors,
                    scope=scope,
                    since=since,
                    until=until,
                ),
                like=like,
                as_of=given_date("as_of", as_of, whole_day=True),
                tokens=max_tokens,
                group=group,
                sort=sort,
                cursor=cursor,
                changed=tuple(changes),
            )
        )
        with patience.within(timeout_s, stop), self._view(tiers) as view:
            chosen = self._chosen(view, profile, changes)
            reader = partial(self._read, named="rerank.model" in changes)
            answer = search(view, ask, chosen, meaning=self._searcher, reader=reader)
            answer.meta["warnings"].extend(getattr(view, "troubles", ()))
        if track:
            self._tracker.answered(answer, query, chosen, ask.now)
        return answer

    def brief(
        self, scope: str = "", *, max_tokens: int = 2_000, kinds: Sequence[str] = ()
    ) -> "Brief":
        """What matters now in a scope, without a question: contradictions, open tasks, what is
        important, what was changed last, each record once, within so many tokens."""
        from pinyon.model.check import check_scope
        from pinyon.search.brief import brief
        from pinyon.search.conflicts import conflicts

        if type(max_tokens) is not int or max_tokens < 0:
            raise InvalidInput("max_tokens must be a whole number, and not below 0")
        now, scope = self._clock(), check_scope("scope", scope)
        with self._store.snapshot() as view:
            return brief(
                view,
                now=now,
                scope=scope,
                tokens=max_tokens,
                kinds=given_texts("kinds", kinds),
                conflicts=conflicts(view, now=now, scope=scope),
                how=self._chosen(view, "default", {}).rank,
            )

    def _chosen(self, view: "View", name: str, changes: Mapping[str, Any]) -> Profile:
        """The profile with what was learnt, over that what is configured, over that the changes."""
        return load.load(
            name, self._profile_folders, over(configured(view.settings(), name), changes)
        )

    def profile(self, name: str, override: Mapping[str, Any] | None = None) -> Profile:
        """A profile with everything that it inherits, and what is configured or was learnt."""
        with self._store.snapshot() as view:
            return self._chosen(view, name, override or {})

    def profiles(self) -> list[str]:
        """The names of the profiles that there are."""
        return load.names(self._profile_folders)
