// World: what the parts of the page share: what is asked, what was answered, what may be done.

import { read, written } from "./state.js";

export const world = {
  state: read(""),
  choices: { kind: [], tag: [], scope: [], tier: [], profile: [] },
  may: new Set(["search", "write"]),
  answer: { hits: [], meta: {} },
  /** The record that is open, once it is known. */
  record: null,
  /** Where the page goes: the state changes, and with it the address and all that is shown. */
  go: () => {},
  /** Everything anew: the server is back. */
  again: () => {},
  /** Writes a note, with a title to begin with. */
  note: () => {},
};

/** The address at which a record is open. */
export const href = (id) => written({ ...world.state, open: id, view: "" });

/** Whether hits are in an order of their own: without a question there is none. */
export const ranked = () => Boolean(world.state.q || world.state.like);

export function addTag(tag) {
  const { state, go } = world;
  if (!state.tag.includes(tag)) go({ tag: [...state.tag, tag] });
}
