"""Asking: questions, briefs, feedback, links, and what there is to ask for."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from pinyon.surfaces.http import shapes as http
from pinyon.surfaces.http.call import Caller, reply
from pinyon.surfaces.http.described import told
from pinyon.surfaces.operations import shapes

router = APIRouter(prefix="/v1", tags=["asking"])

Field = Literal["tags", "kind", "domain", "author", "scope"]


@router.post("/search", **told("search", also=(404,)))
async def search(asked: shapes.SearchAll, call: Caller) -> Response:
    return await call.ask("search", asked)


@router.get("/brief", **told("brief"))
async def brief(asked: Annotated[http.Briefly, Query()], call: Caller) -> Response:
    wanted = shapes.Brief(scope=asked.scope, max_tokens=asked.max_tokens, kinds=asked.kind)
    return await call.ask("brief", wanted)


@router.post("/feedback", **told("feedback", also=(404, 507)))
async def feedback(asked: shapes.Feedback, call: Caller) -> Response:
    return await call.ask("feedback", asked)


@router.post("/links", **told("link", 201, also=(404, 507)))
async def link(asked: shapes.Link, call: Caller) -> Response:
    return await call.ask("link", asked, 201)


@router.delete("/links", **told("unlink", also=(404, 507)))
async def unlink(asked: Annotated[http.Ends, Query()], call: Caller) -> Response:
    return await call.ask("unlink", shapes.Unlink(**asked.model_dump()))


@router.get(
    "/conflicts",
    **told("conflicts", about="The records that contradict each other.", gives=http.ConflictsShape),
)
async def conflicts(asked: Annotated[http.Within, Query()], call: Caller) -> Response:
    return await call.answer(
        lambda: {"conflicts": [each._asdict() for each in call.engine.conflicts(asked.scope)]}
    )


@router.get(
    "/values/{field}",
    **told("values", about="The values of a field, for filters.", gives=http.ValuesShape),
)
async def values(field: Field, call: Caller) -> Response:
    return await call.answer(lambda: {"values": call.engine.values(field)})


@router.get("/profiles", **told("profiles", about="Ways to rank.", gives=http.ProfilesShape))
async def profiles(call: Caller) -> Response:
    def found() -> dict[str, Any]:
        known = call.engine.profiles()
        return {"profiles": [{"name": each.name, "about": each.about} for each in known]}

    return await call.answer(found)


@router.get("/tiers", **told("tiers", about="The stores that are asked.", gives=http.TiersShape))
async def tiers(call: Caller) -> Response:
    return await call.answer(lambda: {"tiers": [each._asdict() for each in call.engine.tiers()]})


@router.get("/permit", **told("permit", about="What this caller may do.", gives=http.PermitShape))
async def permit(call: Caller) -> Response:
    held = call.engine.permit
    return reply(
        {
            "name": held.name,
            "capabilities": sorted(held.capabilities),
            "tiers": list(held.tiers),
            "scopes": list(held.scopes),
        }
    )
