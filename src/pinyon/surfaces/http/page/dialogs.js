// Dialogs: one at a time, with a form; a token, and the keys.

import { $, h } from "./dom.js";
import { sentence } from "./notices.js";

/** Opens a dialog, called after its first element. `given` is called when its form is sent. */
export function open(name, content, given) {
  document.querySelector("dialog[open]")?.close();
  const submit = (event) => {
    event.preventDefault();
    given?.();
  };
  const form = h("form", { on: { submit } }, content);
  const title = content[0].textContent;
  const dialog = h("dialog", { class: "dialog", id: `dialog-${name}`, "aria-label": title }, form);
  form.addEventListener("click", ({ target }) => target.closest("[data-cancel]") && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  $("dialogs").append(dialog);
  dialog.showModal();
  return dialog;
}

export const buttons = (text) =>
  h(
    "div",
    { class: "buttons" },
    h("button", { type: "button", "data-cancel": true }, "Cancel"),
    h("button", { type: "submit", class: "primary" }, text),
  );

/** Asks for a token; gives null where none is given. */
export function askToken(problem) {
  const field = h("input", {
    type: "password",
    name: "token",
    autocomplete: "off",
    required: true,
    autofocus: true,
  });
  const command = h("code", {}, "pinyon token create");
  return new Promise((resolve) => {
    let given = null;
    const content = [
      h("h2", {}, "This store asks who you are"),
      h("p", {}, sentence(problem.message)),
      h("label", {}, h("span", {}, "Token"), field),
      h("p", { class: "remark" }, "It stays in this tab. Make one with ", command, "."),
      buttons("Continue"),
    ];
    const dialog = open("token", content, () => {
      given = field.value.trim();
      dialog.close();
    });
    dialog.addEventListener("close", () => resolve(given || null));
  });
}

/** The keys, from the table that they are bound by. */
export function showKeys(keys) {
  const row = ({ shown, about }) => {
    const pressed = shown.map((key) => h("kbd", {}, key));
    return h("div", {}, h("dt", {}, pressed), h("dd", {}, about));
  };
  const given = { type: "button", class: "primary", "data-cancel": true, autofocus: true };
  open("help", [
    h("h2", {}, "Keys"),
    h("dl", { class: "keys" }, keys.map(row)),
    h("div", { class: "buttons" }, h("button", given, "Close")),
  ]);
}
