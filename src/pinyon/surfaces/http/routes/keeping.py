"""Keeping: jobs, settings and numbers, for whoever looks after the store."""

import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from pinyon import __version__
from pinyon.model.errors import InvalidInput
from pinyon.surfaces.answers import report_to_json
from pinyon.surfaces.http import shapes as http
from pinyon.surfaces.http.call import Call, Caller, reply
from pinyon.surfaces.http.described import told
from pinyon.surfaces.http.jobs import Progress, Work
from pinyon.surfaces.operations import shapes

router = APIRouter(tags=["keeping"])

PLAIN = "text/plain; version=0.0.4; charset=utf-8"


@router.get("/v1/stats", **told("stats"))
async def stats(call: Caller) -> Response:
    return await call.ask("stats", shapes.Nothing())


@router.get(
    "/v1/health",
    **told("health", about="Whether the server lives. Needs no token.", gives=http.HealthShape),
)
async def health() -> Response:
    return reply({"status": "ok", "version": __version__})


@router.get("/metrics", include_in_schema=False)
async def metrics(call: Caller) -> Response:
    def measured() -> Response:
        engine = call.engine.whole()
        counts = engine.stats()
        states = Counter(job["state"] for job in call.service.jobs.all())
        text = call.service.metrics.text(
            __version__,
            {
                "records": [({"kind": kind}, n) for kind, n in sorted(counts.kinds.items())],
                "passages": [({}, counts.passages)],
                "passages_waiting": [
                    ({"model": each.name}, each.waiting) for each in engine.models()
                ],
                "store_bytes": [({}, counts.bytes)],
                "jobs": [({"state": state}, n) for state, n in sorted(states.items())],
            },
        )
        return Response(text, media_type=PLAIN)

    return await call.done(measured)


@router.post(
    "/v1/jobs",
    **told(
        "begin_job",
        202,
        title="Begin a job",
        about="Index a folder, or embed what waits, behind. Jobs run one after the other.",
        gives=http.JobShape,
    ),
)
async def begin(asked: http.AnyJob, call: Caller) -> Response:
    def begun() -> Response:
        target, work = (
            _index(asked, call) if isinstance(asked, http.IndexJob) else _embed(asked, call)
        )
        job = call.service.jobs.add(asked.job, target, work)
        return reply(job, 202, {"Location": f"/v1/jobs/{job['id']}"})

    return await call.done(begun)


@router.get("/v1/jobs", **told("jobs", about="The jobs that are known.", gives=http.JobsShape))
async def jobs(call: Caller) -> Response:
    call.engine.check_job()
    return reply({"jobs": call.service.jobs.all()})


@router.get(
    "/v1/jobs/{id}",
    **told("job", about="A job, as far as it is.", gives=http.JobShape, also=(404,)),
)
async def job(id: str, call: Caller) -> Response:
    call.engine.check_job()
    return reply(call.service.jobs.get(id))


@router.delete(
    "/v1/jobs/{id}",
    **told(
        "cancel_job",
        title="Cancel a job",
        about="It ends at its next step; what it has written stays.",
        gives=http.JobShape,
        also=(404,),
    ),
)
async def cancel(id: str, call: Caller) -> Response:
    call.engine.check_job()
    return reply(call.service.jobs.cancel(id))


@router.get(
    "/v1/jobs/{id}/events",
    **{
        **told(
            "job_events",
            title="Watch a job",
            about="Server-sent events: the job at each of its steps, until it has ended. The name"
            " of an event is the state of the job.",
            also=(404,),
        ),
        "response_class": StreamingResponse,
    },
)
async def events(id: str, call: Caller) -> Response:
    call.engine.check_job()
    call.service.jobs.get(id)  # 404 before the stream begins

    async def stream() -> AsyncIterator[str]:
        async for now in call.service.jobs.watch(id):
            if now is None:
                yield ": still there\n\n"
            else:
                yield f"event: {now['state']}\ndata: {json.dumps(now)}\n\n"

    return StreamingResponse(stream(), media_type="text/event-stream")


@router.get("/v1/config", **told("config", about="What is configured.", gives=http.ConfigShape))
async def config(call: Caller) -> Response:
    return await call.answer(lambda: {"config": call.engine.config()})


@router.put(
    "/v1/config/{key}",
    **told(
        "configure",
        about="Set a key. It is checked first, and counts from the next search on.",
        gives=http.SetShape,
        also=(507,),
    ),
)
async def configure(key: str, asked: http.Value, call: Caller) -> Response:
    return await _configured(key, asked.value, call)


@router.delete(
    "/v1/config/{key}",
    **told(
        "unconfigure",
        title="Unset a key",
        about="What holds without it counts again.",
        gives=http.SetShape,
        also=(507,),
    ),
)
async def unconfigure(key: str, call: Caller) -> Response:
    return await _configured(key, None, call)


async def _configured(key: str, value: str | None, call: Call) -> Response:
    return await call.answer(
        lambda: {"key": key, "value": value, "note": call.engine.configure(key, value)}
    )


def _index(asked: http.IndexJob, call: Call) -> tuple[str, Work]:
    call.engine.check_job()
    path = Path(asked.path)
    if not _exists(path):
        raise InvalidInput(f"there is no folder or file {asked.path!r}", remedy="check the path")

    def work(progress: Progress) -> dict[str, Any]:
        report = call.engine.index(
            path, progress=lambda now: progress(now.done, now.total, now.path)
        )
        return report_to_json(report)

    return str(path), work


def _embed(asked: http.EmbedJob, call: Call) -> tuple[str, Work]:
    call.engine.check_job("embed")

    def work(progress: Progress) -> dict[str, Any]:
        done = call.engine.embed(
            seconds=asked.seconds,
            retry=asked.retry,
            progress=lambda now: progress(now.done, now.total, ""),
        )
        return asdict(done)

    return "", work


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that no file can have
        return False
