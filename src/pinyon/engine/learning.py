"""Learning: the methods of an engine that take feedback, and follow it."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from pinyon.engine.asking import Asking
from pinyon.model.errors import UnknownRecord
from pinyon.model.profile import Profile

if TYPE_CHECKING:
    from pinyon.learn.learned import Learned
    from pinyon.store.contract import View
    from pinyon.store.questions import Feedback


class Learning(Asking):
    """See Engine."""

    def feedback(self, id: str, verdict: str, *, query: str = "", profile: str = "default") -> None:
        """Say that a hit was "accepted", "modified" or "dismissed". A later verdict on the same
        record and question, by the same profile, replaces the earlier one.

        The query is asked again, so that the verdict can say which signal was right; without one it
        is only counted. With enough feedback the weights of the profile follow: see `learn`.
        """
        from pinyon.learn.feedback import check_verdict, question_of
        from pinyon.learn.methods import due
        from pinyon.store.contract import Batch

        check_verdict(verdict)
        question = question_of(query)
        with self._store.snapshot() as view:
            if id not in view.fetch([id]):
                raise UnknownRecord([id])
            base = self._unlearnt(view, profile)
            given = self._given(view, profile)
        before = [each for each in given if (each.id, each.query) != (id, question)]
        judged = self._judged(id, verdict, question, profile, before)
        self._store.commit(Batch(now=judged.at, feedback=[judged]))
        if due(len(before) + 1, base):
            self.learn(profile)

    def learn(self, profile: str = "default") -> "Learned":
        """Learn the weights of a profile from its feedback, in the way that its section `learn`
        names. Adopted ones are in force at once; where none are, the profile's own are again."""
        import json

        from pinyon.learn.learned import setting
        from pinyon.learn.methods import learn
        from pinyon.store.contract import Batch

        with self._store.snapshot() as view:
            learned = learn(self._given(view, profile), self._unlearnt(view, profile))
            key = _key(profile)
            known = key in view.settings()
        now = self._clock()
        kept = json.dumps(setting(learned, now)) if learned.adopted else None
        if known or kept:
            self._store.commit(Batch(now=now, settings={key: kept}))
        return learned

    def unlearn(self, profile: str = "default") -> bool:
        """Give a profile its own weights again; False where it had them. The feedback stays, but
        only what is given from now on is learnt from."""
        from pinyon.store.contract import Batch

        with self._store.snapshot() as view:
            self._unlearnt(view, profile)
            key = _key(profile)
            known = key in view.settings()
        now = self._clock()
        self._store.commit(Batch(now=now, settings={key: None, _since(profile): now.isoformat()}))
        return known

    def verdicts(self) -> "list[Feedback]":
        """All feedback that was given, to answers of whichever profile, in the order of time."""
        from pinyon.store.questions import Feedbacks

        with self._store.snapshot() as view:
            given = [each for name in self.profiles() for each in view.survey(Feedbacks(name))]
        return sorted(given, key=lambda each: (each.at, each.query, each.id, each.profile))

    def _judged(
        self, id: str, verdict: str, question: str, profile: str, before: "list[Feedback]"
    ) -> "Feedback":
        from pinyon.learn.feedback import DEEPER, SHOWN, names_in, others, signals_of, weighing
        from pinyon.store.questions import Feedback

        bare = Feedback(self._clock(), id, verdict, question, profile)
        if not question:
            return bare
        with self._store.snapshot() as view:
            asked = self._loaded(view.settings(), profile)
        names = names_in(asked)
        verdicts = {each.id: each.verdict for each in before if each.query == question}
        for limit in (SHOWN, DEEPER):
            answer = self.search(
                question, profile=profile, limit=limit, track=False, override=weighing(asked)
            )
            for hit in answer:
                if hit.id == id:
                    beside = others(answer.hits, id, verdict, verdicts)
                    passed = tuple(signals_of(other, names) for other in beside)
                    signals = signals_of(hit, names)
                    return Feedback(bare.at, id, verdict, question, profile, signals, passed)
        return bare

    def _given(self, view: "View", profile: str) -> "list[Feedback]":
        """The feedback since the profile was last given its own weights."""
        from pinyon.store.questions import Feedbacks

        since = view.settings().get(_since(profile))
        given = view.survey(Feedbacks(profile))
        if since is None:
            return given
        begin = datetime.fromisoformat(since)
        return [each for each in given if each.at > begin]

    def _unlearnt(self, view: "View", profile: str) -> Profile:
        """The profile as it is without learning, but with what was configured."""
        settings = {key: value for key, value in view.settings().items() if key != _key(profile)}
        return self._loaded(settings, profile)

    def _loaded(self, settings: Mapping[str, str], profile: str) -> Profile:
        from pinyon.profiles import load
        from pinyon.profiles.configured import configured

        return load.load(profile, self._profile_folders, configured(settings, profile))


def _key(profile: str) -> str:
    return f"learned.{profile}"


def _since(profile: str) -> str:
    """No profile has a dot in its name, so that this is no other one's key."""
    return f"learned.{profile}.since"
