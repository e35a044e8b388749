// Graph: the records around one, as a picture and as a list. Both lead to each of them.

import { h, s } from "./dom.js";
import { arrange } from "./layout.js";
import { count, named, short } from "./words.js";

const MOST = { 1: 22, 2: 34 };
const NAMED = 14;
const LETTER = 6.3;
const LINE = 34;

/** What `related` says of a record, `width` wide. `href` gives the address of an id. */
export function picture(record, related, depth, width, href) {
  const { nodes, edges } = chosen(record, related, MOST[depth]);
  for (const node of nodes) {
    node.label = short(node.title, width < 420 ? 18 : 24);
    node.width = Math.max(28, node.label.length * LETTER + 8);
    node.height = LINE;
  }
  arrange(
    nodes,
    edges.map(({ from, to }) => [from, to]),
    width - 8,
  );
  const at = new Map(nodes.map((node) => [node.id, node]));
  const top = Math.min(...nodes.map((node) => node.y)) - 16;
  const bottom = Math.max(...nodes.map((node) => node.y)) + LINE - 6;
  return s(
    "svg",
    {
      class: "graph",
      viewBox: `${-width / 2} ${top} ${width} ${bottom - top}`,
      role: "group",
      "aria-label": `Graph around ${named(record)}: ${nodes.length - 1} records`,
    },
    arrow(),
    edges.map((edge) => line(edge, at)),
    edges.length <= NAMED && edges.map((edge) => relation(edge, at)),
    nodes.map((node, order) => dot(node, order === 0, href)),
  );
}

/** The links as a list, those of one relation and direction together. */
export function listing(record, related, href) {
  const groups = new Map();
  for (const { edge, record: other, hops } of related) {
    if (hops > 1) continue;
    const name = edge.from === record.id ? `${edge.relation} →` : `← ${edge.relation}`;
    groups.set(name, [...(groups.get(name) ?? []), other]);
  }
  return h(
    "dl",
    { class: "links" },
    [...groups].map(([name, others]) => [
      h("dt", {}, name.replaceAll("_", " "), others.length > 1 && ` ${count(others.length)}`),
      others.map((other) =>
        h("dd", {}, h("a", { href: href(other.id), "data-open": other.id }, named(other))),
      ),
    ]),
  );
}

/** The nearest records, and the links among them. */
function chosen(record, related, most) {
  const nodes = new Map([
    [record.id, { id: record.id, title: named(record), kind: record.kind, hops: 0 }],
  ]);
  for (const { record: other, hops } of related) {
    if (nodes.size > most) break;
    if (!nodes.has(other.id)) {
      nodes.set(other.id, { id: other.id, title: named(other), kind: other.kind, hops });
    }
  }
  const edges = related
    .map(({ edge }) => edge)
    .filter((edge) => nodes.has(edge.from) && nodes.has(edge.to) && edge.from !== edge.to);
  return { nodes: [...nodes.values()], edges };
}

const arrow = () =>
  s(
    "marker",
    {
      id: "arrow",
      viewBox: "0 0 6 6",
      refX: 5,
      refY: 3,
      markerWidth: 6,
      markerHeight: 6,
      orient: "auto",
    },
    s("path", { class: "arrow", d: "M0 0 6 3 0 6z" }),
  );

/** It ends just before the circle that it leads to. */
function line(edge, at) {
  const [from, to] = [at.get(edge.from), at.get(edge.to)];
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const part = Math.max(0, far - (to.hops ? 8 : 10)) / far;
  return s(
    "line",
    {
      class: "edge",
      "marker-end": "url(#arrow)",
      x1: from.x.toFixed(1),
      y1: from.y.toFixed(1),
      x2: (from.x + (to.x - from.x) * part).toFixed(1),
      y2: (from.y + (to.y - from.y) * part).toFixed(1),
      "stroke-opacity": (0.35 + 0.65 * edge.strength).toFixed(2),
    },
    s("title", {}, `${from.title} ${edge.relation} ${to.title}`),
  );
}

function relation(edge, at) {
  const [from, to] = [at.get(edge.from), at.get(edge.to)];
  if (Math.hypot(from.x - to.x, from.y - to.y) < 70) return null;
  const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  return s(
    "text",
    { class: "relation", x: x.toFixed(1), y: (y + 3).toFixed(1), "aria-hidden": true },
    edge.relation.replaceAll("_", " "),
  );
}

function dot(node, first, href) {
  const shape = [
    s("title", {}, `${node.title} (${node.kind})`),
    s("circle", { r: first ? 7 : node.hops > 1 ? 3.5 : 5 }),
    s("text", { y: first ? 21 : 18 }, node.label),
  ];
  const given = {
    class: first ? "node first" : "node",
    transform: `translate(${node.x.toFixed(1)} ${node.y.toFixed(1)})`,
  };
  if (first) return s("g", given, shape);
  return s("a", { ...given, href: href(node.id), "data-open": node.id }, shape);
}
