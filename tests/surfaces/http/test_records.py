"""Records over HTTP: every path, ETags, ids of any kind."""

from urllib.parse import quote

import httpx
import pytest

ODD = [
    "../../etc/passwd",
    "..",
    ".",
    "a/b/c",
    "/absolute",
    "question?mark",
    "hash#mark",
    "100%",
    "%2e%2e%2f",
    "知識 🌲",
    "a related",
    "a/related/",
    "'; DROP TABLE records; --",
    "<script>alert(1)</script>",
    "C:\\notes\\a.md",
]


def _path(id: str) -> str:
    return f"/v1/records/{quote(id, safe='').replace('.', '%2E')}"


def _saved(http: httpx.Client, id: str, **fields: object) -> str:
    answer = http.post("/v1/records", json={"id": id, "title": "One", **fields})
    assert answer.status_code == 201, answer.text
    return id


@pytest.mark.proves("P10")
@pytest.mark.parametrize("id", ODD)
def test_a_record_of_any_id_can_be_written_read_changed_and_forgotten(
    http: httpx.Client, id: str
) -> None:
    saved = http.post("/v1/records", json={"id": id, "title": "One", "tags": ["x"]})
    assert (saved.status_code, saved.json()) == (201, {"id": id})
    assert http.get(saved.headers["Location"]).json()["id"] == id
    read = http.get(_path(id))
    assert (read.status_code, read.json()["id"], read.headers["ETag"]) == (200, id, '"1"')
    changed = http.patch(_path(id), json={"title": "Two"}, headers={"If-Match": '"1"'})
    assert (changed.status_code, changed.json()["title"], changed.headers["ETag"]) == (
        200,
        "Two",
        '"2"',
    )
    assert http.get(f"{_path(id)}/history").json()["versions"][0]["record"]["title"] == "One"
    assert http.get(f"{_path(id)}/related").json() == {"related": []}
    gone = http.delete(_path(id))
    assert (gone.status_code, gone.json()) == (200, {"forgotten": [id], "purged": False})
    assert http.get(_path(id)).status_code == 404


def test_several_records_are_read_in_their_order_and_a_missing_one_is_named(
    http: httpx.Client,
) -> None:
    _saved(http, "several/related")
    _saved(http, "several-b")
    found = http.get("/v1/records", params={"id": ["several-b", "several/related"]})
    assert [each["id"] for each in found.json()["records"]] == ["several-b", "several/related"]
    missing = http.get("/v1/records", params={"id": ["several-b", "none of these"]})
    assert missing.status_code == 404
    assert missing.json()["error"]["ids"] == ["none of these"]


def test_what_is_known_already_is_not_sent_again(http: httpx.Client) -> None:
    path = _path(_saved(http, "known"))
    for tag in ('"1"', 'W/"1"', '"7", "1"', "*"):
        same = http.get(path, headers={"If-None-Match": tag})
        assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", '"1"')
    for tag in ('"2"', "1", '"', "nonsense", ""):
        assert http.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_a_change_based_on_an_old_version_is_refused_and_changes_nothing(
    http: httpx.Client,
) -> None:
    path = _path(_saved(http, "conditional"))
    assert http.patch(path, json={"title": "Two"}, headers={"If-Match": '"1"'}).is_success
    late = http.patch(path, json={"title": "Three"}, headers={"If-Match": '"1"'})
    assert (late.status_code, late.json()["error"]["type"]) == (409, "StaleRecord")
    assert http.get(path).json()["title"] == "Two"
    for any_version in ({"If-Match": "*"}, {}):
        assert http.patch(path, json={"title": "Four"}, headers=any_version).status_code == 200
    for malformed in ("2", "two", '"two"', 'W/"2"', '"1", "2"', '"', "", f'"{"9" * 5_000}"'):
        refused = http.patch(path, json={"title": "Five"}, headers={"If-Match": malformed})
        assert refused.status_code in {409, 422}, malformed
    assert http.get(path).json()["title"] == "Four"


def test_null_empties_a_field_but_for_those_that_are_never_empty(http: httpx.Client) -> None:
    path = _path(_saved(http, "emptied", tags=["a"], due="2030-01-01", importance=5))
    record = http.patch(path, json={"tags": None, "due": None, "importance": None}).json()
    assert record.keys().isdisjoint({"tags", "due", "importance"})
    for field in ("kind", "created_at"):
        assert http.patch(path, json={field: None}).status_code == 422


def test_a_correction_takes_the_place_of_what_was_wrong(http: httpx.Client) -> None:
    path = _path(_saved(http, "wrong"))
    new = http.post(f"{path}/correct", json={"title": "Right", "why": "it was wrong"})
    assert (new.status_code, new.json()["supersedes"]) == (201, "wrong")
    again = http.post(f"{path}/correct", json={"title": "Righter"})
    assert (again.status_code, again.json()["error"]["latest"]) == (409, [new.json()["id"]])
    [edge] = http.get(f"{path}/related", params={"relation": "supersedes"}).json()["related"]
    assert edge["record"]["id"] == new.json()["id"]


def test_links_are_made_followed_and_taken_away(http: httpx.Client) -> None:
    ids = [_saved(http, f"linked {number}") for number in range(3)]
    ends = {"from_id": ids[0], "relation": "supports", "to_id": ids[1]}
    made = http.post("/v1/links", json={**ends, "strength": 0.5})
    assert (made.status_code, made.json()["edge"]["strength"]) == (201, 0.5)
    http.post("/v1/links", json={"from_id": ids[1], "relation": "supports", "to_id": ids[2]})
    around = f"{_path(ids[0])}/related"
    assert len(http.get(around).json()["related"]) == 1
    far = http.get(around, params={"depth": 2, "relation": "supports", "limit": 5}).json()
    assert [each["record"]["id"] for each in far["related"]] == ids[1:]
    gone = {"from": ids[0], "relation": "supports", "to": ids[1]}
    assert http.delete("/v1/links", params=gone).json()["unlinked"]["to"] == ids[1]
    assert http.delete("/v1/links", params=gone).status_code == 422
    assert http.get(around).json() == {"related": []}


def test_an_id_that_is_taken_and_a_text_that_is_known_are_conflicts(http: httpx.Client) -> None:
    text = "Waxwings eat the berries of the juniper that grows behind the northern wall."
    _saved(http, "taken", body=text)
    taken = http.post("/v1/records", json={"id": "taken", "title": "Two"})
    assert (taken.status_code, taken.json()["error"]["id"]) == (409, "taken")
    same = {"title": "One", "body": text, "duplicates": "refuse"}
    known = http.post("/v1/records", json=same)
    assert (known.status_code, known.json()["error"]["ids"]) == (409, ["taken"])
    replaced = http.post("/v1/records", json={"id": "taken", "title": "Two", "replace": True})
    assert replaced.status_code == 201


def test_a_purged_record_leaves_nothing(http: httpx.Client) -> None:
    path = _path(_saved(http, "secret", body="xylophagous"))
    assert http.delete(path, params={"purge": "true"}).json()["purged"] is True
    assert http.get(f"{path}/history").status_code == 404
