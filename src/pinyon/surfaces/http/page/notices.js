// Notices: what happened, said once and calmly; and that the server is gone, until it is back.

import { Gone, get } from "./api.js";
import { $, fill, h } from "./dom.js";

const SHOWN_MS = 6_000;
const AGAIN_MS = 1_500;

let fading = 0;
let watching = false;

/** A sentence, and what to do about it. */
export function say(text, remedy = "") {
  clearTimeout(fading);
  fill($("notice"), h("p", {}, text), remedy && h("p", { class: "remedy" }, remedy));
  $("notice").hidden = false;
  fading = setTimeout(() => ($("notice").hidden = true), SHOWN_MS);
}

/** An error as a notice; a request that was given up is none. `back` runs when the server is. */
export function complain(error, back) {
  if (error.name === "AbortError") return;
  if (error instanceof Gone) wait(back);
  else say(sentence(error.message), sentence(error.remedy ?? ""));
}

/** "the disk is full" becomes "The disk is full." */
export const sentence = (text) =>
  text && `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

async function wait(back) {
  if (watching) return;
  watching = true;
  $("gone").hidden = false;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    try {
      await get("/v1/health");
      break;
    } catch (error) {
      if (!(error instanceof Gone)) break;
    }
  }
  watching = false;
  $("gone").hidden = true;
  back?.();
}
