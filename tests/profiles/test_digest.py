"""Digest: the same numbers have the same name, other numbers another one."""

import hashlib
import json

from pinyon.model.profile import Profile
from pinyon.profiles.configured import plain
from pinyon.profiles.digest import digest
from pinyon.profiles.load import load, names


def test_it_is_the_sha256_of_the_whole_profile_as_json() -> None:
    profile = load("default")
    text = json.dumps(plain(profile), sort_keys=True, separators=(",", ":"))
    assert digest(profile) == hashlib.sha256(text.encode()).hexdigest()
    assert digest(Profile("x")) != digest(Profile("y"))


def test_every_profile_has_its_own() -> None:
    assert len({digest(load(name)) for name in names()}) == len(names())


def test_any_change_changes_it_and_the_order_of_a_table_does_not() -> None:
    changed = {"rank.weights": {"lexical": 0.5, "vector": 0.5}}
    turned = {"rank.weights": {"vector": 0.5, "lexical": 0.5}}
    one, other = (load("default", override=each) for each in (changed, turned))
    assert digest(one) == digest(other) != digest(load("default"))
