// Reading: the pane with one record, and what can be done with it.

import { post } from "./api.js";
import { current, linkTo, searching } from "./answer.js";
import { detail, fetched, surroundings } from "./detail.js";
import { $, fill } from "./dom.js";
import { terms } from "./marks.js";
import { complain, say } from "./notices.js";
import { addTag, href, world } from "./world.js";

let opened = { id: "", giving: null };

/** Opens a record, or closes the pane where there is none. */
export async function open(id, { again = false } = {}) {
  if (id === opened.id && !again) return;
  opened.giving?.abort();
  opened = { id, giving: new AbortController() };
  world.record = null;
  current();
  $("detail").hidden = !id;
  if (!id) fill($("detail"));
  else await shown(id, opened);
}

export function close() {
  const id = world.state.open;
  world.go({ open: "" });
  (linkTo(id) ?? $("query")).focus();
}

export const like = (id) => world.go({ like: id, q: "", open: "", exact: "" });

const WORDS = { accepted: "good", dismissed: "bad" };

/** Whether a hit answers the question. */
export async function judge(id, verdict) {
  const { q: query, profile } = world.state;
  try {
    await post("/v1/feedback", { id, verdict, query, profile: profile || "default" });
    for (const button of $("detail").querySelectorAll("[data-verdict]")) {
      const pressed = world.state.open === id && button.dataset.verdict === verdict;
      button.setAttribute("aria-pressed", String(pressed));
    }
    say(`Noted: ${WORDS[verdict]}${query ? ` for “${query}”` : ""}.`);
  } catch (error) {
    complain(error, world.again);
  }
}

export async function copy(id) {
  try {
    await navigator.clipboard.writeText(id);
    say("The id is on the clipboard.");
  } catch {
    say(`The clipboard cannot be had. The id is ${id}`);
  }
}

async function shown(id, mine) {
  searching.count();
  try {
    const { settled } = searching; // what hits have marked is marked in the text too
    const found = () => world.answer.hits.find((each) => each.id === id);
    const reading = fetched(id, () => settled.then(found), mine.giving.signal);
    const [record] = await Promise.all([reading, settled]);
    if (mine !== opened) return;
    const { hits } = world.answer;
    world.record = record;
    const snippets = hits.map((each) => each.snippet);
    const wanted = terms(world.state.q, snippets);
    fill($("detail"), detail(record, found(), { ...doing(record), wanted, href }));
    $("detail").scrollTop = 0;
    $("record-title").focus({ preventScroll: true });
    await surroundings($("detail"), record, { href, signal: mine.giving.signal });
  } catch (error) {
    if (mine !== opened || error.name === "AbortError") return;
    complain(error, world.again);
    if (error.status === 404) close();
  }
}

const doing = (record) => ({
  permitted: world.may.has("write"),
  onClose: close,
  onLike: () => like(record.id),
  onVerdict: (verdict) => judge(record.id, verdict),
  onCopy: () => copy(record.id),
  onTag: addTag,
});
