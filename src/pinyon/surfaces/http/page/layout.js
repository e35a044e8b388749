// Layout: places for the nodes of a small graph, always the same ones for the same graph.
//
// They begin on rings around the first node, each branch with room for its leaves; then springs
// pull what is joined together, all push each other away, and labels never cover each other.

const RING = 110;
const STEPS = 220;
const SETTLING = 400;
const GAP = 6;

/** Gives each node its x and y. Nodes have an id, and the width and height of their label; the
 * first one stands in the middle. Nothing is wider than `width` where labels fit into it. */
export function arrange(nodes, edges, width) {
  const index = new Map(nodes.map((node, at) => [node.id, at]));
  const pairs = edges
    .map(([a, b]) => [index.get(a), index.get(b)])
    .filter(([a, b]) => a !== undefined && b !== undefined && a !== b);
  begin(nodes, pairs);
  for (let step = 0; step < STEPS; step += 1) {
    relax(nodes, pairs, 1 - step / STEPS);
    within(nodes, width);
  }
  for (let step = 0; step < SETTLING && separate(nodes); step += 1) within(nodes, width);
  return nodes;
}

/** On rings by distance; a branch gets an angle by the number of its leaves. */
function begin(nodes, pairs) {
  const beside = nodes.map(() => []);
  for (const [a, b] of pairs) {
    beside[a].push(b);
    beside[b].push(a);
  }
  const below = nodes.map(() => []);
  const seen = new Set([0]);
  const queue = [0];
  for (const at of queue) {
    for (const next of beside[at]) {
      if (seen.has(next)) continue;
      seen.add(next);
      below[at].push(next);
      queue.push(next);
    }
  }
  nodes.forEach((_, at) => seen.has(at) || below[0].push(at));
  const leaves = (at) => below[at].reduce((sum, next) => sum + leaves(next), 0) || 1;
  const put = (at, from, to, ring) => {
    const angle = (from + to) / 2;
    nodes[at].x = Math.cos(angle) * ring * RING * 1.4;
    nodes[at].y = Math.sin(angle) * ring * RING;
    const share = (to - from) / leaves(at);
    let start = from;
    for (const next of below[at]) {
      const end = start + share * leaves(next);
      put(next, start, end, ring + 1);
      start = end;
    }
  };
  put(0, -Math.PI / 2, (3 * Math.PI) / 2, 0);
}

function relax(nodes, pairs, heat) {
  const push = nodes.map(() => [0, 0]);
  for (let a = 0; a < nodes.length; a += 1) {
    for (let b = a + 1; b < nodes.length; b += 1) {
      const [dx, dy, far] = apart(nodes[a], nodes[b], a - b);
      const force = 5200 / (far * far);
      move(push, a, b, (dx / far) * force, (dy / far) * force);
    }
  }
  for (const [a, b] of pairs) {
    const [dx, dy, far] = apart(nodes[a], nodes[b], a - b);
    const force = (RING - far) * 0.06;
    move(push, a, b, (dx / far) * force, (dy / far) * force);
  }
  nodes.forEach((node, at) => {
    if (at === 0) return;
    const far = Math.hypot(...push[at]) || 1;
    const most = Math.min(far, 14 * heat + 0.5) / far;
    node.x += push[at][0] * most;
    node.y += push[at][1] * most;
  });
}

/** Moves what overlaps apart along the shorter way; says whether anything had to be. */
function separate(nodes) {
  let moved = false;
  for (let a = 0; a < nodes.length; a += 1) {
    for (let b = a + 1; b < nodes.length; b += 1) {
      const [one, other] = [nodes[a], nodes[b]];
      const overX = (one.width + other.width) / 2 + GAP - Math.abs(one.x - other.x);
      const overY = (one.height + other.height) / 2 + GAP - Math.abs(one.y - other.y);
      if (overX <= 0 || overY <= 0) continue;
      moved = true;
      const parts = a === 0 ? [0, 1] : [0.5, 0.5];
      // Down rather than across: the picture may grow in height, not in width.
      const axis = overX < overY / 2 ? "x" : "y";
      const over = (axis === "x" ? overX : overY) + 0.01;
      const side = one[axis] < other[axis] || (one[axis] === other[axis] && b % 2) ? 1 : -1;
      one[axis] -= side * over * parts[0];
      other[axis] += side * over * parts[1];
    }
  }
  return moved;
}

function within(nodes, width) {
  for (const node of nodes) {
    const most = Math.max(0, (width - node.width) / 2);
    node.x = Math.max(-most, Math.min(most, node.x));
  }
}

/** The way from b to a; two that stand on one spot are told apart by their order. */
function apart(a, b, order) {
  const [dx, dy] = [a.x - b.x || order * 0.1, a.y - b.y || order * 0.07];
  return [dx, dy, Math.max(1, Math.hypot(dx, dy))];
}

function move(push, a, b, x, y) {
  push[a][0] += x;
  push[a][1] += y;
  push[b][0] -= x;
  push[b][1] -= y;
}
