// Hits: the list of what was found.

import { h } from "./dom.js";
import { meter } from "./explain.js";
import { snippet } from "./marks.js";
import { named, place } from "./words.js";

/** One hit. `how` has the address that opens it, whether to explain, and what a tag does. */
export function hitItem(hit, weighed, { href, explained, ranked, onTag }) {
  const why = h("div", { class: "why-place", hidden: !explained });
  if (explained) why.append(weighed.why(hit));
  const toggle = () => {
    if (!why.firstChild) why.append(weighed.why(hit));
    why.hidden = !why.hidden;
    button.setAttribute("aria-expanded", String(!why.hidden));
  };
  const button = h(
    "button",
    {
      type: "button",
      class: "why-button",
      "aria-expanded": String(explained),
      "aria-label": `Why ${named(hit)}`,
      on: { click: toggle },
    },
    "why",
  );
  const tag = (name) =>
    h("button", { type: "button", class: "tag", on: { click: () => onTag(name) } }, name);
  return h(
    "li",
    { class: "hit", "data-id": hit.id },
    h("h2", {}, h("a", { class: "open", href, "data-open": hit.id }, named(hit))),
    h(
      "p",
      { class: "facts" },
      h("span", { class: "kind" }, hit.kind),
      hit.source
        ? h("span", { class: "path" }, place(hit))
        : hit.scope && h("span", { class: "path" }, hit.scope),
      hit.tier && h("span", { class: "tier", title: "tier" }, hit.tier),
      hit.tags.map(tag),
    ),
    hit.snippet && h("p", { class: "snippet" }, snippet(hit.snippet)),
    hit.more.length > 0 &&
      h("p", { class: "facts" }, `and ${hit.more.length} more that say the same`),
    ranked && h("p", { class: "score" }, meter(hit.relevance), button),
    why,
  );
}

/** What to try where nothing was found. */
export function nothing(state, { narrowed, permitted, onWiden, onNote, onDefault }) {
  const act = (text, click) =>
    h("li", {}, h("button", { type: "button", class: "link", on: { click } }, text));
  return h(
    "div",
    { class: "nothing" },
    h("h2", {}, state.q ? ["Nothing found for ", h("q", {}, state.q)] : "Nothing here yet"),
    h(
      "ul",
      {},
      narrowed && act("Search without the filters", onWiden),
      state.profile &&
        state.profile !== "default" &&
        act("Rank with the default profile", onDefault),
      state.q && h("li", {}, "Try fewer words, or other words for the same thing"),
      !state.q &&
        !narrowed &&
        h("li", {}, "Index a folder: ", h("code", {}, "pinyon index FOLDER")),
      permitted && act(state.q ? "Write a note about it" : "Write the first note", onNote),
    ),
  );
}
