// State: what is asked and shown, as it stands in the address: reload and back bring it again.

const LISTS = ["kind", "tag", "tier"];
const TEXTS = ["q", "scope", "profile", "since", "until", "like", "open", "view", "exact"];
const NARROWING = ["kind", "tag", "tier", "scope", "since", "until"];

export const DAYS = { "1d": 1, "7d": 7, "30d": 30, "365d": 365 };

export function read(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const state = {};
  for (const name of TEXTS) state[name] = given.get(name) ?? "";
  for (const name of LISTS) state[name] = given.getAll(name);
  return state;
}

export function written(state) {
  const given = new URLSearchParams();
  for (const name of TEXTS) if (state[name]) given.set(name, state[name]);
  for (const name of LISTS) for (const value of state[name]) given.append(name, value);
  return `#${given}`;
}

/** The body of a search: only what differs from what the server takes anyway. */
export function question(state, now = new Date()) {
  const asked = {
    query: state.like ? "" : state.q,
    kinds: state.kind,
    tags: state.tag,
    tiers: state.tier,
    scope: state.scope,
    profile: state.profile,
    like: state.like,
    since: from(state.since, now),
    until: state.until,
  };
  const given = Object.entries(asked).filter(([, value]) => value.length > 0);
  return { ...Object.fromEntries(given), ...(state.exact && { fix: false, expand: false }) };
}

/** Whether something narrows the answer beside the words. */
export const narrowed = (state) => NARROWING.some((name) => state[name].length > 0);

/** Without everything that narrows. */
export const widened = () =>
  Object.fromEntries(NARROWING.map((name) => [name, LISTS.includes(name) ? [] : ""]));

/** A day: cursors belong to a question, so it must not change with every second. */
function from(since, now) {
  if (!(since in DAYS)) return since;
  return new Date(now.getTime() - DAYS[since] * 86_400_000).toISOString().slice(0, 10);
}
