"""Records: read, write, change, replace and forget them, and look at what lies around one.

An id may hold anything, also a slash: it is percent-encoded in a path. One that ends in /related or
/history is read by GET /v1/records?id=.
"""

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Header, Query, Response

from pinyon.model.wire import record_to_json, version_to_json
from pinyon.surfaces.http import etags
from pinyon.surfaces.http.call import Caller, reply
from pinyon.surfaces.http.described import told
from pinyon.surfaces.http.shapes import (
    Around,
    Correction,
    Forgetting,
    HistoryShape,
    Purging,
    Several,
)
from pinyon.surfaces.operations import OPERATIONS, changes, results, shapes

router = APIRouter(prefix="/v1/records", tags=["records"])

IfMatch = Annotated[
    str | None, Header(description="The ETag of the record: change it only if it is still so.")
]
IfNoneMatch = Annotated[
    str | None, Header(description="The ETag of the record that you have: 304 if it is still so.")
]


@router.post("", **told("save", 201, also=(409, 507)))
async def save(asked: shapes.Save, call: Caller) -> Response:
    def location(saved: dict[str, Any]) -> dict[str, str]:
        # Dots as numbers too: browsers and others shorten a path of them.
        return {"Location": f"/v1/records/{quote(saved['id'], safe='').replace('.', '%2E')}"}

    return await call.answer(lambda: OPERATIONS["save"].run(call.engine, asked), 201, location)


@router.get("", **told("get", also=(404,)))
async def several(asked: Annotated[Several, Query()], call: Caller) -> Response:
    return await call.ask("get", shapes.Get(ids=asked.id))


@router.delete(
    "",
    **told(
        "forget_several",
        about="Take several records out of every answer: all of them, or none.",
        gives=results.ForgottenShape,
        also=(404, 507),
    ),
)
async def forget_several(asked: Annotated[Forgetting, Query()], call: Caller) -> Response:
    return await call.ask("forget", shapes.Forget(ids=asked.id, purge=asked.purge))


@router.get("/{id:path}/related", **told("related", also=(404,)))
async def related(id: str, asked: Annotated[Around, Query()], call: Caller) -> Response:
    wanted = shapes.Relate(id=id, relations=asked.relation, depth=asked.depth, limit=asked.limit)
    return await call.ask("related", wanted)


@router.get(
    "/{id:path}/history",
    **told(
        "history",
        about="What a record was before each of its changes.",
        gives=HistoryShape,
        also=(404,),
    ),
)
async def history(id: str, call: Caller) -> Response:
    return await call.answer(
        lambda: {"versions": [version_to_json(each) for each in call.engine.history(id)]}
    )


@router.post("/{id:path}/correct", **told("correct", 201, also=(404, 409, 507)))
async def correct(id: str, asked: Correction, call: Caller) -> Response:
    wanted = shapes.Correct(id=id, **asked.model_dump(exclude_unset=True))
    return await call.ask("correct", wanted, 201)


@router.get(
    "/{id:path}",
    **told(
        "read",
        title="Read a record",
        about="One record, with its version as ETag.",
        gives=results.RecordShape,
        also=(404,),
    ),
)
async def read(id: str, call: Caller, if_none_match: IfNoneMatch = None) -> Response:
    def found() -> Response:
        (record,) = call.engine.get(id)
        tag = {"ETag": etags.etag(record.version)}
        if etags.known(if_none_match, record.version):
            return Response(status_code=304, headers=tag)
        return reply(record_to_json(record), headers=tag)

    return await call.done(found)


@router.patch("/{id:path}", **told("update", gives=results.RecordShape, also=(404, 409, 507)))
async def update(id: str, asked: shapes.Fields, call: Caller, if_match: IfMatch = None) -> Response:
    expected = etags.expected(if_match)

    def changed() -> Response:
        record = call.engine.update(id, expected=expected, **changes(asked))
        return reply(record_to_json(record), headers={"ETag": etags.etag(record.version)})

    return await call.done(changed)


@router.delete("/{id:path}", **told("forget", also=(404, 507)))
async def forget(id: str, asked: Annotated[Purging, Query()], call: Caller) -> Response:
    return await call.ask("forget", shapes.Forget(ids=[id], purge=asked.purge))
