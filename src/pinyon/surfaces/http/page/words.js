// Words: how numbers, dates and names are said.

const WHEN = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const WHOLE = new Intl.NumberFormat("en");
const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

export const count = (number) => WHOLE.format(number);

/** "1 hit", "2 hits". */
export const several = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;

/** 8 ms, 340 ms, 2.1 s. */
export const duration = (ms) => {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
};

export const date = (text) => {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : WHEN.format(at);
};

/** 4 Nov, of the text 2026-11-04. */
export const day = (text) => DAY.format(new Date(`${text}T00:00:00Z`));

export const size = (bytes) => {
  let unit = 0;
  let amount = bytes;
  while (amount >= 1000 && unit < UNITS.length - 1) [amount, unit] = [amount / 1000, unit + 1];
  return `${amount >= 100 || unit === 0 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[unit]}`;
};

/** Two or three digits, without the zeros that say nothing. */
export const figure = (number) => String(Number(number.toFixed(Math.abs(number) < 0.1 ? 4 : 3)));

/** "docs/a.md:3–9". */
export const place = ({ source, lines }) =>
  lines ? `${source}:${lines[0]}${lines[1] === lines[0] ? "" : `–${lines[1]}`}` : source || "";

/** What a record is called where it has no title. */
export const named = ({ title, id }) => title || id;

export const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
