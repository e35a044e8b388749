// Marks: which words of a text answer the question.

import { h } from "./dom.js";

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'", "#39": "'" };
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORD = /[\p{L}\p{N}_]+/gu;
const MOST = 60;
const COMMON = new Set(
  `a an and are as at be but by can do does for from has have how i if in into is it its my no not
  of on or our so than that the then there these they this to was we were what when where which
  who why will with you your`.split(/\s+/),
);

/** A snippet as nodes. It is text with <mark> and entities; anything else in it stays text. */
export function snippet(html) {
  let marked = false;
  const nodes = [];
  for (const part of html.split(/(<\/?mark>)/)) {
    if (part === "<mark>" || part === "</mark>") marked = part === "<mark>";
    else if (part) nodes.push(marked ? h("mark", {}, plain(part)) : plain(part));
  }
  return nodes;
}

/** What to mark in a whole text: the words that snippets have marked, and those of the question. */
export function terms(query, snippets) {
  const found = new Set();
  for (const html of snippets) {
    for (const [, word] of html.matchAll(/<mark>(.*?)<\/mark>/gs)) found.add(plain(word));
  }
  const exact = [...found].filter((word) => word.trim()).map(escaped);
  const asked = (query.match(WORD) ?? [])
    .filter((word) => word.length > 2 && !COMMON.has(word.toLowerCase()))
    .map(forms);
  const all = [...new Set([...exact, ...asked])].sort((a, b) => b.length - a.length).slice(0, MOST);
  if (!all.length) return null;
  const spaced = all.filter((word) => !UNSPACED.test(word));
  const unspaced = all.filter((word) => UNSPACED.test(word));
  const ways = [
    ...(spaced.length ? [`(?<![\\p{L}\\p{N}])(?:${spaced.join("|")})(?![\\p{L}\\p{N}])`] : []),
    ...unspaced,
  ];
  return new RegExp(`(${ways.join("|")})`, "giu");
}

/** Text as nodes, with what `wanted` matches marked. */
export function marked(text, wanted) {
  if (!wanted) return [text];
  return text.split(wanted).map((part, index) => (index % 2 ? h("mark", {}, part) : part));
}

/** The word as it was typed, and as it may end elsewhere. */
function forms(word) {
  if (UNSPACED.test(word)) return escaped(word);
  const ending = word.endsWith("y") ? "(?:y|ies|ied)" : "\\p{L}{0,3}";
  return `${escaped(word.replace(/y$/, ""))}${ending}`;
}

const plain = (text) => text.replace(/&(#?\w+);/g, (whole, name) => ENTITIES[name] ?? whole);
const escaped = (word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
