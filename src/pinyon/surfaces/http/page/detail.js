// Detail: one record in full: its text, its fields, what it was before, and what is around it.

import { Problem, byIds, get, of } from "./api.js";
import { fill, h } from "./dom.js";
import { marked, snippet } from "./marks.js";
import { body } from "./text.js";
import { date, named, place } from "./words.js";

const ELSEWHERE = new Set(["title", "body", "tags", "kind", "context"]);
const DATES = new Set([
  "created_at",
  "updated_at",
  "valid_from",
  "valid_until",
  "due",
  "deleted_at",
]);
const VERDICTS = { accepted: "good", dismissed: "bad" };
const LINKS = { 1: 60, 2: 120 };

/** What was forgotten or lies in another tier is shown as far as the hit says it, which `found`
 * promises. */
export async function fetched(id, found, signal) {
  try {
    const { records } = await get(byIds(id), { signal });
    return records[0];
  } catch (error) {
    const missing = error instanceof Problem && error.status === 404;
    const hit = missing && (await found());
    if (!hit) throw error;
    return { ...hit, version: 1, elsewhere: true };
  }
}

/** The whole pane. `how` holds what the page can do with it. */
export function detail(
  record,
  hit,
  { wanted, permitted, href, onClose, onLike, onVerdict, onCopy, onTag },
) {
  const button = (text, key, click, more = {}) =>
    h(
      "button",
      { type: "button", class: "action", on: { click }, ...more },
      text,
      h("kbd", {}, key),
    );
  const verdicts = Object.entries(VERDICTS).map(([verdict, word]) =>
    button(word, word[0], () => onVerdict(verdict), {
      "data-verdict": verdict,
      "aria-pressed": "false",
    }),
  );
  return h(
    "article",
    { class: "record", "data-id": record.id },
    h(
      "header",
      {},
      h(
        "button",
        {
          type: "button",
          class: "close",
          "aria-label": "Back to the hits",
          on: { click: onClose },
        },
        "×",
      ),
      record.context && h("p", { class: "context" }, record.context),
      h("h2", { id: "record-title", tabindex: -1 }, marked(named(record), wanted)),
      h(
        "p",
        { class: "facts" },
        h("span", { class: "kind" }, record.kind),
        record.source && h("span", { class: "path" }, place(record)),
        (record.tags ?? []).map((tag) =>
          h("button", { type: "button", class: "tag", on: { click: () => onTag(tag) } }, tag),
        ),
      ),
      h(
        "div",
        { class: "actions" },
        !record.elsewhere && button("more like this", "m", onLike),
        button("copy id", "c", onCopy),
        permitted &&
          !record.elsewhere &&
          h("span", { class: "verdicts", role: "group", "aria-label": "Feedback" }, verdicts),
      ),
    ),
    record.elsewhere
      ? h(
          "div",
          { class: "text" },
          h("p", {}, snippet(hit.snippet)),
          h("p", { class: "remark" }, `It lies in the tier ${hit.tier}: open that store for more.`),
        )
      : body(record, wanted),
    h("section", { class: "around", hidden: true, "aria-label": "Around it" }),
    fields(record),
    h("section", { class: "history", hidden: true, "aria-label": "History" }),
  );
}

/** The graph and the history, once they are known; the text does not wait for them. */
export async function surroundings(pane, record, { href, signal }) {
  if (record.elsewhere) return;
  await Promise.all([
    around(pane.querySelector(".around"), record, { href, signal, depth: 1 }),
    record.version > 1 && history(pane.querySelector(".history"), record, signal),
  ]);
}

async function around(section, record, { href, signal, depth }) {
  const path = `${of(record.id, "related")}?depth=${depth}&limit=${LINKS[depth]}`;
  const { related } = await get(path, { signal });
  if (!related.length) return;
  const { picture, listing } = await import("./graph.js");
  section.hidden = false;
  const choose = (other) =>
    h(
      "button",
      {
        type: "button",
        "aria-pressed": String(other === depth),
        on: {
          click: () => around(section, record, { href, signal, depth: other }).catch(() => {}),
        },
      },
      other === 1 ? "1 step" : "2 steps",
    );
  fill(
    section,
    h("h3", {}, "Around it", h("span", { class: "depth" }, choose(1), choose(2))),
    picture(record, related, depth, Math.max(280, section.clientWidth), href),
    listing(record, related, href),
  );
}

async function history(section, record, signal) {
  const { versions } = await get(of(record.id, "history"), { signal });
  if (!versions.length) return;
  section.hidden = false;
  fill(
    section,
    h("h3", {}, "What it was before"),
    h(
      "ol",
      {},
      versions
        .toReversed()
        .map(({ change, changed_at: at, record: was }) =>
          h(
            "li",
            {},
            h(
              "details",
              {},
              h(
                "summary",
                {},
                h("span", { class: "change" }, change),
                " ",
                h("time", { datetime: at }, date(at)),
                " ",
                named(was),
              ),
              body(was, null),
            ),
          ),
        ),
    ),
  );
}

function fields(record) {
  const shown = Object.entries(record).filter(([name]) => !ELSEWHERE.has(name) && name in SAID);
  return h(
    "section",
    { class: "fields", "aria-label": "Fields" },
    h("h3", {}, "Fields"),
    h(
      "dl",
      {},
      shown.map(([name, value]) =>
        h("div", {}, h("dt", {}, SAID[name]), h("dd", {}, written(name, value))),
      ),
    ),
  );
}

const SAID = {
  id: "id",
  scope: "scope",
  source: "source",
  lines: "lines",
  aliases: "also called",
  domain: "domain",
  severity: "severity",
  importance: "importance",
  mentions: "mentions",
  doc_type: "type",
  memory_type: "type",
  author: "author",
  status: "status",
  due: "due",
  created_at: "made",
  updated_at: "changed",
  valid_from: "holds from",
  valid_until: "holds until",
  half_life: "half-life",
  extra: "extra",
  version: "version",
  deleted_at: "forgotten",
  tier: "tier",
};

function written(name, value) {
  if (value === null || value === "") return "–";
  if (DATES.has(name)) return h("time", { datetime: value }, date(value));
  if (name === "id") return h("code", {}, value);
  if (name === "lines") return value.join("–");
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "object" ? h("code", {}, JSON.stringify(value)) : String(value);
}
