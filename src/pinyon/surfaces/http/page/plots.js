// Plots: small pictures of numbers. Each says in words what it shows, for those who cannot see it.

import { h, s } from "./dom.js";
import { count, day } from "./words.js";

const WIDTH = 560;
const HEIGHT = 170;
const LEFT = 44;
const RIGHT = 16;
const BOTTOM = 22;
const TOP = 10;

/** Bars a day, with a part of each in another shade. */
export function bars(rows, { title, value, part, said }) {
  const most = ceiling(Math.max(...rows.map(value), 1));
  const step = (WIDTH - LEFT - RIGHT) / rows.length;
  const wide = Math.min(28, step * 0.7);
  const high = (number) => ((HEIGHT - BOTTOM - TOP) * number) / most;
  const bar = (row, at, number, kind) =>
    s("rect", {
      class: kind,
      x: (LEFT + step * at + (step - wide) / 2).toFixed(1),
      y: (HEIGHT - BOTTOM - high(number)).toFixed(1),
      width: wide.toFixed(1),
      height: high(number).toFixed(1),
      rx: Math.min(2, high(number) / 2),
      "data-day": row.day,
      "data-value": number,
    });
  return frame(title, rows, most, count, step, [
    rows.map((row, at) =>
      s(
        "g",
        {},
        s("title", {}, said(row)),
        bar(row, at, value(row), "bar-all"),
        part(row) > 0 && bar(row, at, part(row), "bar-part"),
      ),
    ),
  ]);
}

/** Lines over days, one for each name in `series`: a function of the row. */
export function lines(rows, { title, series, unit }) {
  const all = rows.flatMap((row) => Object.values(series).map((value) => value(row)));
  const most = ceiling(Math.max(...all.filter((value) => value !== null), 1));
  const step = (WIDTH - LEFT - RIGHT) / rows.length;
  const x = (at) => LEFT + step * (at + 0.5);
  const y = (number) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * number) / most;
  const drawn = Object.entries(series).map(([name, value]) => {
    const points = rows
      .map((row, at) => [row, at, value(row)])
      .filter(([, , number]) => number !== null);
    const path = points.map(
      ([, at, number], first) => `${first ? "L" : "M"}${x(at).toFixed(1)} ${y(number).toFixed(1)}`,
    );
    return s(
      "g",
      { class: `line-${name}` },
      s("path", { d: path.join("") }),
      points.map(([row, at, number]) =>
        s(
          "circle",
          {
            cx: x(at).toFixed(1),
            cy: y(number).toFixed(1),
            r: 2.6,
            "data-day": row.day,
            "data-value": number,
          },
          s("title", {}, `${day(row.day)}: ${name} ${unit(number)}`),
        ),
      ),
    );
  });
  return frame(title, rows, most, unit, step, drawn);
}

/** Names with a bar behind each; `act` makes a button of them. */
export function ranking(entries, { said = count, act } = {}) {
  const most = Math.max(...entries.map(([, number]) => number), 1);
  return h(
    "ol",
    { class: "ranking" },
    entries.map(([name, number]) =>
      h(
        "li",
        {},
        s(
          "svg",
          { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": true },
          s("rect", { width: ((100 * number) / most).toFixed(2), height: 10 }),
        ),
        act
          ? h("button", { type: "button", class: "link", on: { click: () => act(name) } }, name)
          : h("span", {}, name),
        h("span", { class: "number" }, said(number)),
      ),
    ),
  );
}

/** The axes: the days below, three lines across. */
function frame(title, rows, most, said, step, content) {
  const across = [0, 0.5, 1].map((part) => {
    const y = HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * part;
    return [
      s("line", { class: "across", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }),
      s("text", { class: "scale", x: LEFT - 8, y: y + 3.5 }, said(most * part)),
    ];
  });
  const every = Math.ceil(rows.length / 6);
  const below = rows.map(
    (row, at) =>
      (rows.length - 1 - at) % every === 0 &&
      s(
        "text",
        { class: "below", x: (LEFT + step * (at + 0.5)).toFixed(1), y: HEIGHT - 5 },
        day(row.day),
      ),
  );
  return s(
    "svg",
    { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title },
    across,
    content,
    below,
  );
}

/** The next number that is easy to halve. */
function ceiling(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  const steps = power < 10 ? [2, 4, 6, 8, 10] : [1, 1.2, 1.4, 1.6, 2, 3, 4, 5, 6, 8, 10];
  return steps.map((step) => step * power).find((step) => step >= number);
}
