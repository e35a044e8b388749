// Explain: why a hit stands where it stands: a bar for each signal, who found it, and by which way.

import { h, s } from "./dom.js";
import { figure } from "./words.js";

const RERANK = "rerank";

/** How one answer weighs: the bars of all its hits compare. */
export class Weighed {
  constructor(hits, meta) {
    this.weights = meta.weights ?? {};
    this.times = new Set(meta.times ?? []);
    this.asked = meta.channels?.length ?? 0;
    this.most = 0;
    this.longest = {};
    for (const { signals } of hits) {
      for (const [name, value] of Object.entries(signals)) {
        this.most = Math.max(this.most, Math.abs(this.share(name, value)));
        this.longest[name] = Math.max(this.longest[name] ?? 0, Math.abs(value));
      }
    }
  }

  /** What a signal adds: its value times its weight; 0 where it has none. */
  share(name, value) {
    return this.times.has(name) ? 0 : (this.weights[name] ?? 0) * value;
  }

  /** From 0 to 1: of the largest share, or of the largest value where nothing is weighed. */
  length(name, value) {
    const [part, whole] =
      this.weights[name] && !this.times.has(name)
        ? [this.share(name, value), this.most]
        : [value, this.longest[name]];
    return whole ? Math.abs(part) / whole : 0;
  }

  /** Whether the score is the sum of the weighted signals: not where lists were fused by ranks, or
   * where edges passed it on. */
  summed({ signals, score }) {
    let sum = 0;
    let factor = 1;
    for (const [name, value] of Object.entries(signals)) {
      if (this.times.has(name)) factor *= value;
      else if (name !== RERANK) sum += this.share(name, value);
    }
    const whole = sum * factor + this.share(RERANK, signals[RERANK] ?? 0);
    return Math.abs(whole - score) <= 1e-6 * Math.max(1, Math.abs(score));
  }

  why(hit) {
    const summed = this.summed(hit);
    const byShare = ([a, x], [b, y]) =>
      Math.abs(this.share(b, y)) - Math.abs(this.share(a, x)) || (a < b ? -1 : 1);
    const rows = Object.entries(hit.signals).sort(byShare);
    return h(
      "div",
      { class: "why" },
      rows.length > 0 &&
        h(
          "dl",
          { class: "bars" },
          rows.map((row) => this.row(...row, summed)),
        ),
      h("p", { class: "found" }, this.found(hit)),
      hit.via && h("p", { class: "found" }, h("span", { class: "label" }, "reached by "), hit.via),
    );
  }

  row(name, value, summed) {
    const length = this.length(name, value);
    const adds = Boolean(this.weights[name]) && !this.times.has(name);
    const bar = s(
      "svg",
      { viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": true },
      s("rect", { class: "rail", width: 100, height: 4 }),
      s("rect", {
        class: adds ? "length" : "length faint",
        width: (100 * length).toFixed(3),
        height: 4,
        "data-signal": name,
        "data-value": value,
        "data-share": this.share(name, value),
      }),
    );
    return h(
      "div",
      { class: "bar" },
      h("dt", {}, name),
      h("dd", {}, bar, h("span", { class: "number" }, this.said(name, value, adds, summed))),
    );
  }

  said(name, value, adds, summed) {
    if (this.times.has(name)) return `× ${figure(value)}`;
    if (name === "graph" && !(name in this.weights)) return `${figure(value)}, passed on`;
    if (!adds) return `${figure(value)}, not weighed`;
    const product = `${figure(value)} × ${figure(this.weights[name])}`;
    return summed || name === RERANK ? `${product} = ${figure(this.share(name, value))}` : product;
  }

  found(hit) {
    const ranks = Object.entries(hit.sources);
    if (!ranks.length) return hit.via ? "reached by links" : "changed last";
    return [
      h("span", { class: "label" }, "found by "),
      ranks.map(([channel, rank], index) => [
        index > 0 && ", ",
        h("span", { class: "channel" }, `${channel} at rank ${rank}`),
      ]),
      this.asked > 1 && `; ${ranks.length} of ${this.asked} channels agree`,
    ];
  }
}

/** How sure a hit is, from 0 to 1. */
export function meter(relevance) {
  return h(
    "span",
    {
      class: "meter",
      role: "meter",
      "aria-label": "relevance",
      "aria-valuemin": 0,
      "aria-valuemax": 1,
      "aria-valuenow": relevance.toFixed(3),
      title: `relevance ${figure(relevance)} of 1`,
    },
    s(
      "svg",
      { viewBox: "0 0 40 4", "aria-hidden": true },
      s("rect", { class: "rail", width: 40, height: 4, rx: 2 }),
      s("rect", { class: "length", width: (40 * relevance).toFixed(2), height: 4, rx: 2 }),
    ),
    h("span", { class: "number" }, relevance.toFixed(2)),
  );
}

/** What was understood, changed, left out and warned of. */
export function remarks(meta) {
  const left = Object.entries(meta.left_out ?? {}).map(([why, number]) => `${number} ${why}`);
  return [
    ...(meta.changed ?? []),
    ...(left.length ? [`left out: ${left.join(", ")}`] : []),
    ...(meta.warnings ?? []),
  ];
}
