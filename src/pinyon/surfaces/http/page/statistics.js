// Statistics: what is asked of the store, what found nothing, and what it holds.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { bars, lines, ranking } from "./plots.js";
import { count, day, duration, several, size } from "./words.js";

const DAYS = 30;
const MODELS = { done: "passages", waiting: "waiting", failed: "failed" };

/** Draws the whole view. `onAsk` asks a question again. */
export async function statistics(place, { onAsk, signal }) {
  const all = await get("/v1/stats", { signal });
  const asked = all.queries;
  const rows = dayByDay(asked.days);
  const busy = asked.asked > 0;
  fill(
    place,
    h("h1", { tabindex: -1, id: "statistics-title" }, "Statistics"),
    h(
      "dl",
      { class: "totals" },
      total("records", count(all.records)),
      total("links", count(all.edges)),
      total("questions", count(asked.asked)),
      total("half answered within", busy ? duration(asked.p50_ms) : "–"),
      total("on disk", size(all.bytes)),
    ),
    h(
      "div",
      { class: "panels" },
      panel(
        "Questions a day",
        busy
          ? [
              bars(rows, {
                title: `Questions a day: ${several(asked.asked, "question")} in all`,
                value: (row) => row.asked,
                part: (row) => row.unanswered,
                said,
              }),
              key({ "bar-all": "asked", "bar-part": "found nothing" }),
            ]
          : quiet("Nothing was asked yet."),
      ),
      panel(
        "How long answers took",
        busy
          ? [
              lines(rows, {
                title: within(asked),
                series: { p50: (row) => row.p50_ms, p95: (row) => row.p95_ms },
                unit: duration,
              }),
              key({ "line-p50": "half of them", "line-p95": "95 of 100" }),
            ]
          : quiet("Nothing was asked yet."),
      ),
      panel(
        "Asked most",
        asked.common.length
          ? ranking(asked.common, { act: onAsk })
          : quiet("Nothing was asked yet."),
      ),
      panel(
        "Found nothing",
        asked.unanswered.length
          ? ranking(asked.unanswered, { act: onAsk })
          : quiet("Every question found something."),
      ),
      panel(
        "Kinds of records",
        all.records ? ranking(sorted(all.kinds)) : quiet("Nothing is kept yet."),
      ),
      panel("Found by meaning", meaning(all)),
    ),
  );
}

const said = (row) =>
  `${day(row.day)}: ${several(row.asked, "question")}, ${count(row.unanswered)} in vain`;

const within = ({ p50_ms: half, p95_ms: most }) =>
  `Half of the answers within ${duration(half)}, 95 of 100 within ${duration(most)}`;

const total = (name, value) => h("div", {}, h("dd", {}, value), h("dt", {}, name));
const panel = (title, content) =>
  h("section", { class: "panel", "aria-label": title }, h("h2", {}, title), content);
const quiet = (text) => h("p", { class: "remark" }, text);
const sorted = (counts) => Object.entries(counts).sort(([, a], [, b]) => b - a);

const key = (names) =>
  h(
    "p",
    { class: "key" },
    Object.entries(names).map(([kind, name]) => h("span", { class: kind }, name)),
  );

/** The last days up to the newest, also those on which nothing was asked. */
function dayByDay(days) {
  if (!days.length) return [];
  const known = new Map(days.map((row) => [row.day, row]));
  const last = Date.parse(
    `${days
      .map((row) => row.day)
      .sort()
      .at(-1)}T00:00:00Z`,
  );
  const first = Date.parse(`${days.map((row) => row.day).sort()[0]}T00:00:00Z`);
  const number = Math.min(DAYS, Math.max(7, (last - first) / 86_400_000 + 1));
  return Array.from({ length: number }, (_, at) => {
    const name = new Date(last - (number - 1 - at) * 86_400_000).toISOString().slice(0, 10);
    return known.get(name) ?? { day: name, asked: 0, unanswered: 0, p50_ms: null, p95_ms: null };
  });
}

function meaning(all) {
  if (!all.models.length) return quiet("No model reads this store: words alone find.");
  return all.models.map((model) => [
    h(
      "p",
      { class: "model" },
      h("strong", {}, model.choice || model.name),
      ` ${model.state}, ${count(model.dims)} dimensions`,
    ),
    ranking(
      Object.entries({ done: model.vectors, waiting: model.waiting, failed: model.failed })
        .filter(([name, number]) => number > 0 || name !== "failed")
        .map(([name, number]) => [MODELS[name], number]),
    ),
    model.problem && quiet(model.problem),
  ]);
}
