// Filters: what narrows an answer, as menus to add it and chips to take it away.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { DAYS } from "./state.js";
import { count } from "./words.js";

const MOST = 300;
const OWN = "own";
const TIMES = {
  "1d": "the last day",
  "7d": "the last 7 days",
  "30d": "the last 30 days",
  "365d": "the last year",
  [OWN]: "between two days…",
};

const VALUES = { kind: "kind", tag: "tags", scope: "scope" };

/** What each menu can offer. What a caller may not see is not offered. */
export async function offered() {
  const none = () => ({});
  const [profiles, tiers, ...values] = await Promise.all([
    get("/v1/profiles").catch(none),
    get("/v1/tiers").catch(none),
    ...Object.values(VALUES).map((field) => get(`/v1/values/${field}`).catch(none)),
  ]);
  const counted = Object.keys(VALUES).map((name, at) => [name, listed(values[at].values ?? {})]);
  return {
    ...Object.fromEntries(counted),
    tier: (tiers.tiers ?? []).map(({ name, records }) => [name, `${name} (${count(records)})`]),
    profile: (profiles.profiles ?? []).map(({ name, about }) => [name, name, about]),
  };
}

/** The most common first. */
function listed(values) {
  const sorted = Object.entries(values).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return sorted
    .filter(([name]) => name)
    .slice(0, MOST)
    .map(([name, number]) => [name, `${name} (${count(number)})`]);
}

/** Draws menus and chips. `change` is called with what the state becomes. */
export function draw({ menus, chips }, choices, state, likeTitle, change) {
  const held = document.activeElement?.closest?.("#menus select, #menus input")?.name;
  fill(
    menus,
    several("kind", "Kind", choices, state, change),
    several("tag", "Tag", choices, state, change),
    one("scope", "Scope", choices, state, change),
    (choices.tier.length > 1 || state.tier.length > 0) &&
      several("tier", "Tier", choices, state, change),
    time(state, change),
    one("profile", "Profile", choices, state, change),
  );
  fill(
    chips,
    state.like && chip("like", likeTitle || state.like, () => change({ like: "" })),
    ["kind", "tag", "tier"].flatMap((name) =>
      state[name].map((value) =>
        chip(name, value, () => change({ [name]: state[name].filter((each) => each !== value) })),
      ),
    ),
    state.scope && chip("scope", state.scope, () => change({ scope: "" })),
    state.since && chip("since", TIMES[state.since] ?? state.since, () => change({ since: "" })),
    state.until && chip("before", state.until, () => change({ until: "" })),
    state.profile && chip("profile", state.profile, () => change({ profile: "" })),
    state.exact && chip("exactly", "as typed", () => change({ exact: "" })),
  );
  chips.hidden = !chips.firstChild;
  if (held) menus.querySelector(`[name="${held}"]`)?.focus();
}

function chip(name, value, click) {
  return h(
    "button",
    {
      type: "button",
      class: "chip",
      "aria-label": `Remove ${name} ${value}`,
      "data-chip": name,
      on: { click },
    },
    h("span", { class: "label" }, name),
    h("span", { class: "value" }, value),
    h("span", { class: "cross", "aria-hidden": true }, "×"),
  );
}

/** A menu that adds to a list. */
function several(name, title, choices, state, change) {
  const left = choices[name].filter(([value]) => !state[name].includes(value));
  if (!left.length) return null;
  const add = ({ target }) => target.value && change({ [name]: [...state[name], target.value] });
  return menu(name, title, left, "", add);
}

/** A menu for one value; the scope of a shared address may be none that is offered. */
function one(name, title, choices, state, change) {
  const given = state[name];
  const known = choices[name].some(([value]) => value === given);
  const all = given && !known ? [[given, given], ...choices[name]] : choices[name];
  return (
    all.length > 0 &&
    menu(name, title, all, given, ({ target }) => change({ [name]: target.value }))
  );
}

function time(state, change) {
  const own = state.until || (state.since && !(state.since in DAYS)) ? OWN : "";
  const pick = ({ target }) => {
    if (target.value !== OWN) return change({ since: target.value, until: "" });
    days.hidden = false;
    return days.querySelector("input").focus();
  };
  const day = (name, title) =>
    h("input", {
      type: "date",
      name,
      "aria-label": title,
      value: own ? state[name] : "",
      on: { change: ({ target }) => change({ [name]: target.value }) },
    });
  const days = h(
    "span",
    { class: "days", hidden: !own },
    day("since", "Since"),
    "to",
    day("until", "Before"),
  );
  return [menu("time", "Time", Object.entries(TIMES), own || state.since, pick), days];
}

function menu(name, title, choices, chosen, pick) {
  return h(
    "select",
    { name, "aria-label": title, class: chosen ? "menu chosen" : "menu", on: { change: pick } },
    h("option", { value: "" }, chosen ? `Any ${title.toLowerCase()}` : title),
    choices.map(([value, text, about]) =>
      h("option", { value, title: about, selected: value === chosen }, text),
    ),
  );
}
