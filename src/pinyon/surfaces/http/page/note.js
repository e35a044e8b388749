// Note: something new is written down, unless it is known already.

import { Problem, byIds, get, post } from "./api.js";
import { buttons, open } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { sentence } from "./notices.js";
import { named } from "./words.js";

const KINDS = ["note", "memory", "task", "entry", "entity", "resource", "page", "doc", "skill"];
const SHOWN = 3;

/** Opens the form. `saved` gets the id of the new record, `opened` that of one like it. */
export function writeNote({ title, scope, scopes, tags }, { saved, opened }) {
  const refused = h("div", { class: "refused", role: "alert", hidden: true });
  const content = [
    h("h2", {}, "New note"),
    field("title", "Title", { value: title, required: true, maxlength: 500, autofocus: true }),
    h("label", {}, h("span", {}, "Text"), h("textarea", { name: "body", rows: 8 })),
    h(
      "div",
      { class: "row" },
      h("label", {}, h("span", {}, "Kind"), h("select", { name: "kind" }, KINDS.map(option))),
      field("tags", "Tags", { placeholder: "comma, separated", list: "known-tags" }),
      field("scope", "Scope", { value: scope, placeholder: "team/api", list: "known-scopes" }),
    ),
    h("datalist", { id: "known-tags" }, tags.map(offer)),
    h("datalist", { id: "known-scopes" }, scopes.map(offer)),
    refused,
    buttons("Save"),
  ];
  const dialog = open("note", content, () => save("refuse"));

  const save = async (duplicates) => {
    try {
      const { id } = await post("/v1/records", { ...noted(dialog), duplicates });
      dialog.close();
      saved(id);
    } catch (error) {
      const known = error instanceof Problem && error.type === "DuplicateText";
      fill(refused, known ? await same(error.ids) : said(error));
      refused.hidden = false;
      refused.querySelector("button")?.focus();
    }
  };

  const same = async (ids) => {
    const { records } = await get(byIds(...ids.slice(0, SHOWN))).catch(() => ({ records: [] }));
    const anyway = { type: "button", class: "anyway", on: { click: () => save("keep") } };
    return [
      h("p", {}, "This is already said:"),
      h("ul", {}, records.map(instead)),
      h("button", anyway, "Save anyway"),
    ];
  };

  const instead = (record) => {
    const click = () => {
      dialog.close();
      opened(record.id);
    };
    return h(
      "li",
      {},
      h("button", { type: "button", class: "link", on: { click } }, named(record)),
    );
  };
}

const field = (name, label, given) =>
  h("label", {}, h("span", {}, label), h("input", { name, autocomplete: "off", ...given }));

const option = (kind) => h("option", { value: kind }, kind);
const offer = ([value]) => h("option", { value });
const said = (error) =>
  [error.message, error.remedy].map((text) => h("p", {}, sentence(text ?? "")));

function noted(dialog) {
  const given = new FormData(dialog.querySelector("form"));
  const text = (name) => String(given.get(name) ?? "").trim();
  const tags = text("tags").split(",");
  const all = {
    title: text("title"),
    body: String(given.get("body") ?? ""),
    kind: text("kind"),
    tags: tags.map((tag) => tag.trim()).filter(Boolean),
    scope: text("scope"),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value.length > 0));
}
