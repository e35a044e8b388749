// Answer: what was found, as a list that the keys walk through.

import { Problem } from "./api.js";
import { $, fill, h } from "./dom.js";
import { Weighed, remarks } from "./explain.js";
import { hitItem, nothing } from "./hits.js";
import { complain, sentence } from "./notices.js";
import { Searching } from "./searching.js";
import { narrowed, widened, written } from "./state.js";
import { duration, several } from "./words.js";
import { addTag, href, ranked, world } from "./world.js";

let explained = false;
let chosen = ""; // the hit that was focused last

export const searching = new Searching(answered, refused);

export const links = () => [...$("hits").querySelectorAll("a.open")];

export const linkTo = (id) => links().find((link) => link.dataset.open === id);

/** The next page below the hits that are there. */
export async function more() {
  const asked = written(world.state);
  try {
    const next = await searching.more(world.answer.meta.next);
    if (asked !== written(world.state)) return;
    const known = world.answer.hits.length;
    world.answer = { hits: [...world.answer.hits, ...next.hits], meta: next.meta };
    $("hits").append(...items(next.hits));
    counted();
    links()[known]?.focus();
  } catch (error) {
    complain(error, world.again);
  }
}

/** Says which hit is open. */
export function current() {
  for (const link of links()) {
    const open = link.dataset.open === world.state.open;
    link.closest(".hit").classList.toggle("current", open);
    if (open) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** The next hit or the one before; while one is read, that one is opened. */
export function move(by) {
  const all = links();
  const inside = $("detail").contains(document.activeElement);
  const focused = inside ? linkTo(world.state.open) : document.activeElement;
  const at = all.indexOf(focused);
  const next = at < 0 ? Math.max(0, all.indexOf(linkTo(chosen))) : at + by;
  if (next < 0) return $("query").focus();
  if (next >= all.length) return null;
  if (inside) return world.go({ open: all[next].dataset.open }, { replace: true });
  all[next].focus();
  return all[next].closest(".hit").scrollIntoView({ block: "nearest" });
}

/** The hit that a key speaks of: the one that is focused, else the one that is open. */
export const meant = () =>
  document.activeElement?.closest?.("#hits .hit")?.dataset.id ?? (world.state.open || null);

/** Of one hit where one is focused, else of all. */
export function why() {
  const focused = document.activeElement?.closest?.("#hits .hit");
  if (focused) return focused.querySelector(".why-button")?.click();
  explained = !explained;
  $("explain").setAttribute("aria-pressed", String(explained));
  return answered(world.answer);
}

export function listen() {
  $("hits").addEventListener("focusin", ({ target }) => {
    chosen = target.closest(".hit")?.dataset.id ?? chosen;
  });
  $("more").addEventListener("click", more);
  $("explain").addEventListener("click", why);
}

function answered(given) {
  world.answer = given;
  const { hits, meta } = given;
  fill($("hits"), items(hits));
  $("hits").classList.remove("old");
  $("hits").setAttribute("aria-label", ranked() ? "Hits" : "Changed last");
  $("took").textContent = meta.ms === undefined ? "" : duration(meta.ms);
  $("explain").hidden = !ranked() || !hits.length;
  counted();
  remarked(meta);
  fill($("nothing"), !hits.length && instead());
  current();
}

function items(hits) {
  const weighed = new Weighed(world.answer.hits, world.answer.meta);
  return hits.map((hit) =>
    hitItem(hit, weighed, { href: href(hit.id), explained, ranked: ranked(), onTag: addTag }),
  );
}

function counted() {
  const { hits, meta } = world.answer;
  const many = several(hits.length, ranked() ? "hit" : "record");
  $("count").textContent =
    `${many}${meta.next ? " and more" : ""}${ranked() ? "" : ", changed last"}`;
  $("more").hidden = !meta.next || !hits.length;
}

function remarked(meta) {
  const exactly = () => world.go({ exact: "1" });
  const asTyped = h(
    "button",
    { type: "button", class: "link", on: { click: exactly } },
    "as typed",
  );
  fill(
    $("remarks"),
    remarks(meta).map((text) => h("p", {}, sentence(text))),
    meta.changed?.length > 0 && h("p", {}, "Search ", asTyped, "."),
  );
}

const instead = () =>
  nothing(world.state, {
    narrowed: narrowed(world.state),
    permitted: world.may.has("write"),
    onWiden: () => world.go(widened()),
    onDefault: () => world.go({ profile: "" }),
    onNote: () => world.note(world.state.q),
  });

/** What the server refuses stands where the hits would; while it is gone, the last hits stay. */
function refused(error) {
  if (error.name === "AbortError") return;
  if (!(error instanceof Problem)) {
    $("hits").classList.add("old");
    complain(error, world.again);
    return;
  }
  answered({ hits: [], meta: {} });
  $("count").textContent = "";
  const remedy = error.remedy && h("p", {}, sentence(error.remedy));
  fill($("nothing"), h("div", { class: "nothing" }, h("h2", {}, sentence(error.message)), remedy));
}
