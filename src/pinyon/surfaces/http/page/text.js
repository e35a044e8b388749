// Text: the body of a record to read: headings, lists, tables and code of Markdown, all as text.

import { h } from "./dom.js";
import { marked } from "./marks.js";

const PLAIN = new Set(["code", "file"]);
const INLINE = /(`[^`\n]+`|\*\*[^*\n]+\*\*|\*[^*\s](?:[^*\n]*[^*\s])?\*)/;
const LONGEST = 200_000;
const FULL = 60;

/** The body as elements. Code stays as it is written; what is very long is cut, with a way on. */
export function body(record, wanted) {
  const text = record.body ?? "";
  const shown = text.slice(0, LONGEST);
  const whole = h("div", { class: "text" }, rendered(record, shown, wanted));
  if (text.length > LONGEST) {
    const rest = () => {
      whole.replaceChildren(...rendered(record, text, wanted));
      more.remove();
    };
    const more = h(
      "button",
      { type: "button", class: "quiet", on: { click: rest } },
      "Show the rest",
    );
    return [whole, more];
  }
  return [whole];
}

function rendered(record, text, wanted) {
  if (PLAIN.has(record.kind)) return [h("pre", {}, marked(text, wanted))];
  return blocks(text.split("\n")).map(([kind, lines]) => BLOCKS[kind](lines, wanted));
}

const KINDS = [
  ["heading", /^#{1,6} /],
  ["table", /^\s*\|.*\|\s*$/],
  ["list", /^\s*(?:[-*+]|\d+[.)]) +/],
  ["code", /^(?: {4}|\t)/],
];

/** Lines that belong together, with what they are. */
function blocks(lines) {
  const found = [];
  let open = null;
  let fence = "";
  for (const line of lines) {
    const edge = line.match(/^\s*(`{3,}|~{3,})/)?.[1];
    if (fence) {
      if (edge?.startsWith(fence) && line.trim() === edge) [fence, open] = ["", null];
      else open[1].push(line);
      continue;
    }
    if (edge) {
      fence = edge;
      found.push((open = ["code", []]));
      continue;
    }
    if (!line.trim()) {
      if (open?.[0] === "code") open[1].push(line);
      else open = null;
      continue;
    }
    const kind = kindOf(line, open);
    if (open?.[0] === kind && kind !== "heading") open[1].push(line);
    else found.push((open = [kind, [line]]));
  }
  return found;
}

/** A line that is indented below a list or a paragraph goes on with it. */
function kindOf(line, open) {
  const kind = KINDS.find(([, pattern]) => pattern.test(line))?.[0] ?? "paragraph";
  const indented = /^\s/.test(line);
  if (open?.[0] === "list" && indented) return "list";
  if (open?.[0] === "paragraph" && kind === "code") return "paragraph";
  return kind;
}

const BLOCKS = {
  heading: ([line], wanted) => h("h3", {}, inline(line.replace(/^#+ /, ""), wanted)),
  paragraph: (lines, wanted) => h("p", {}, inline(joined(lines), wanted)),
  code: (lines, wanted) => {
    const indented = lines.every((line) => !line.trim() || /^(?: {4}|\t)/.test(line));
    const text = lines
      .map((line) => (indented ? line.replace(/^(?: {4}|\t)/, "") : line))
      .join("\n");
    return h("pre", {}, marked(text.replace(/\n+$/, ""), wanted));
  },
  list: (lines, wanted) => {
    const items = [];
    for (const line of lines) {
      if (/^\s*(?:[-*+]|\d+[.)]) +/.test(line)) items.push([line]);
      else items.at(-1)?.push(line);
    }
    const ordered = /^\s*\d/.test(lines[0]);
    const shown = items.map((item) => h("li", {}, inline(bare(item), wanted)));
    return h(ordered ? "ol" : "ul", {}, shown);
  },
  table: (lines, wanted) => {
    const rows = lines.filter((line) => !/^[\s|:-]+$/.test(line)).map(cells);
    const [head, ...rest] = rows;
    const row = (name) => (row) =>
      h(
        "tr",
        {},
        row.map((cell) => h(name, {}, inline(cell, wanted))),
      );
    return h(
      "div",
      { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Table" },
      h("table", {}, head && h("thead", {}, row("th")(head)), h("tbody", {}, rest.map(row("td")))),
    );
  },
};

const bare = (lines) =>
  joined(lines.map((line) => line.trim().replace(/^(?:[-*+]|\d+[.)]) +/, "")));

/** Lines that an editor has broken run on; those that end early were meant to. */
const joined = (lines) => {
  const broken = lines.slice(0, -1).every((line) => line.length >= FULL);
  return lines.join(broken ? " " : "\n");
};

const cells = (line) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, "|"));

function inline(text, wanted) {
  return text.split(INLINE).map((part, index) => {
    if (index % 2 === 0) return marked(part, wanted);
    if (part.startsWith("`")) return h("code", {}, marked(part.slice(1, -1), wanted));
    if (part.startsWith("**")) return h("strong", {}, marked(part.slice(2, -2), wanted));
    return h("em", {}, marked(part.slice(1, -1), wanted));
  });
}
