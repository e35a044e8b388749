// App: the page as a whole. The address holds the state; everything else follows from it.

import * as answer from "./answer.js";
import { Problem, get, onToken, takeToken } from "./api.js";
import { askToken, showKeys } from "./dialogs.js";
import { $, fill, h } from "./dom.js";
import { draw, offered } from "./filters.js";
import { bind, typing } from "./keys.js";
import { writeNote } from "./note.js";
import { complain, say, sentence } from "./notices.js";
import * as reading from "./reading.js";
import { question, read, widened, written } from "./state.js";
import { named } from "./words.js";
import { world } from "./world.js";

const STATISTICS = "statistics";

world.go = (changes, { replace = false, soon = false } = {}) => {
  const before = world.state;
  world.state = { ...before, ...changes };
  const address = written(world.state);
  if (address !== written(before)) {
    history[replace ? "replaceState" : "pushState"](null, "", address);
  }
  show(before, { soon });
};

world.again = () => {
  show(world.state, { again: true });
  prepare();
};

function show(before, { soon = false, again = false } = {}) {
  const { state } = world;
  const counting = state.view === STATISTICS;
  document.body.classList.toggle("reading", Boolean(state.open) && !counting);
  $("search-view").hidden = counting;
  $("statistics").hidden = !counting;
  $("to-statistics").setAttribute("aria-pressed", String(counting));
  document.title = state.q ? `${state.q} – Pinyon` : "Pinyon";
  if ($("query").value !== state.q) $("query").value = state.q;
  filters();
  if (again || !before || asked(before) !== asked(state)) answer.searching.ask(state, { soon });
  if (counting && (again || before?.view !== STATISTICS)) statistics();
  reading.open(state.open, { again });
}

const asked = (state) => JSON.stringify(question(state));

function filters() {
  const { answer, choices, go, record, state } = world;
  const like = [...answer.hits, ...(record ? [record] : [])].find(({ id }) => id === state.like);
  draw({ menus: $("menus"), chips: $("chips") }, choices, state, like && named(like), go);
}

async function statistics() {
  try {
    const { statistics } = await import("./statistics.js");
    const onAsk = (q) => world.go({ ...widened(), q, like: "", view: "", open: "" });
    await statistics($("statistics"), { onAsk });
    $("statistics-title").focus({ preventScroll: true });
  } catch (error) {
    if (!(error instanceof Problem)) complain(error, world.again);
    else fill($("statistics"), h("h1", {}, "Statistics"), h("p", {}, sentence(error.message)));
  }
}

world.note = (title = "") => {
  const { choices, go, may, state } = world;
  if (!may.has("write")) {
    say("This token may not write.", "Use one with the capability write.");
    return;
  }
  const saved = (id) => {
    say("Saved.");
    go({ open: id, view: "" });
    answer.searching.ask(world.state);
    prepare();
  };
  const given = { title, scope: state.scope, scopes: choices.scope, tags: choices.tag };
  writeNote(given, { saved, opened: (id) => go({ open: id, view: "" }) });
};

function search() {
  if (world.state.view) world.go({ view: "" });
  $("query").focus();
  $("query").select();
}

function back() {
  const { go, state } = world;
  if (state.open && !state.view) return reading.close();
  go(state.view ? { view: "" } : { q: "", like: "", exact: "" });
  return $("query").focus();
}

const toStatistics = () => world.go({ view: world.state.view ? "" : STATISTICS });

/** A key that speaks of one record. */
const on = (act) => () => {
  const id = answer.meant();
  if (id) act(id);
};

const next = () => answer.move(1);
const previous = () => answer.move(-1);
const good = on((id) => reading.judge(id, "accepted"));
const bad = on((id) => reading.judge(id, "dismissed"));

const KEYS = [
  { keys: ["/"], shown: ["/"], about: "search", run: search },
  { keys: ["j", "ArrowDown"], shown: ["j", "↓"], about: "the next hit", run: next },
  { keys: ["k", "ArrowUp"], shown: ["k", "↑"], about: "the one before", run: previous },
  { keys: [], shown: ["enter"], about: "open it" },
  { keys: ["Escape"], shown: ["esc"], about: "back", run: back },
  { keys: ["w"], shown: ["w"], about: "why: of one hit, or of all", run: answer.why },
  { keys: ["g"], shown: ["g"], about: "good: it answers", run: good },
  { keys: ["b"], shown: ["b"], about: "bad: it does not", run: bad },
  { keys: ["m"], shown: ["m"], about: "more like this", run: on(reading.like) },
  { keys: ["c"], shown: ["c"], about: "copy the id", run: on(reading.copy) },
  { keys: ["n"], shown: ["n"], about: "new note", run: () => world.note() },
  { keys: ["s"], shown: ["s"], about: "statistics", run: toStatistics },
  { keys: ["t"], shown: ["t"], about: "light or dark", run: window.toggleTheme },
  { keys: ["?"], shown: ["?"], about: "these keys", run: () => showKeys(KEYS) },
];

const BEGINNING = { ...widened(), q: "", like: "", open: "", view: "", profile: "", exact: "" };

const CLICKS = {
  home: () => world.go(BEGINNING),
  skip: () => (answer.links()[0] ?? $("hits")).focus(),
  "to-statistics": toStatistics,
  "to-note": () => world.note(),
  "to-theme": window.toggleTheme,
  "to-keys": () => showKeys(KEYS),
};

function listen() {
  bind(KEYS);
  answer.listen();
  $("search").addEventListener("submit", (event) => event.preventDefault());
  $("query").addEventListener("input", typed);
  $("query").addEventListener("keydown", (event) => {
    if (event.isComposing || !["ArrowDown", "Enter"].includes(event.key)) return;
    event.preventDefault();
    if (event.key === "Enter") answer.searching.count();
    answer.links()[0]?.focus();
  });
  for (const [id, run] of Object.entries(CLICKS)) {
    $(id).addEventListener("click", (event) => {
      event.preventDefault();
      run();
    });
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-open]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    world.go({ open: link.dataset.open, view: "" });
  });
  addEventListener("popstate", () => {
    takeToken();
    const before = world.state;
    world.state = read(location.hash);
    show(before);
  });
}

/** While somebody types, the address changes in place: back leads to where they began. */
function typed() {
  const replace = Boolean(world.state.q);
  const q = $("query").value;
  world.go({ q, like: "", exact: "", open: "", view: "" }, { replace, soon: true });
}

/** What may be done here, and what can be chosen. */
async function prepare() {
  const permit = await get("/v1/permit").catch(() => null);
  if (permit) world.may = new Set(permit.capabilities);
  $("to-note").hidden = !world.may.has("write");
  world.choices = await offered();
  filters();
}

function start() {
  onToken(askToken);
  takeToken();
  world.state = read(location.hash);
  listen();
  show(null);
  const byHand = matchMedia("(pointer: coarse)").matches; // a keyboard would cover the hits
  if (!typing(document.activeElement) && !world.state.open && !byHand) $("query").focus();
  prepare();
}

start();
