// Searching: questions while somebody types. The newest counts: earlier ones are given up, and an
// answer that comes late is dropped.

import { forgive, post } from "./api.js";
import { question } from "./state.js";

const TYPING_MS = 80;
const PAUSE_MS = 1_200;
const HITS = 20;
const KEY = "pinyon.counted";

export class Searching {
  /** `shown` gets each answer that is still wanted, `failed` each error. */
  constructor(shown, failed) {
    Object.assign(this, {
      shown,
      failed,
      asked: null,
      newest: 0,
      typing: 0,
      pausing: 0,
      giving: null,
      settled: Promise.resolve(),
    });
  }

  /** At once, or soon; what stands for a moment is logged. */
  ask(state, { soon = false } = {}) {
    forgive();
    clearTimeout(this.typing);
    clearTimeout(this.pausing);
    this.asked = question(state);
    this.newest += 1;
    this.giving?.abort();
    if (soon) this.typing = setTimeout(() => (this.settled = this.send()), TYPING_MS);
    else this.settled = this.send();
    this.pausing = setTimeout(() => this.count(), PAUSE_MS);
  }

  /** The next page of the same answer. */
  more(cursor) {
    return post("/v1/search", { ...this.asked, cursor, limit: HITS, track: false });
  }

  async send() {
    const mine = this.newest;
    this.giving = new AbortController();
    try {
      const body = { ...this.asked, limit: HITS, track: false };
      const answer = await post("/v1/search", body, { signal: this.giving.signal });
      if (mine === this.newest) this.shown(answer);
    } catch (error) {
      if (mine === this.newest) this.failed(error);
    }
  }

  /** Logs the question, once: what was typed on the way to it is no question. */
  count() {
    clearTimeout(this.pausing);
    const said = JSON.stringify(this.asked);
    if (!this.asked?.query || sessionStorage.getItem(KEY) === said) return;
    sessionStorage.setItem(KEY, said);
    post("/v1/search", { ...this.asked, limit: HITS, track: true }).catch(() => {
      sessionStorage.removeItem(KEY);
    });
  }
}
