// Keys: one table binds them, and the help shows the same table.

const TYPED = new Set(["INPUT", "TEXTAREA", "SELECT"]);

/** Whether letters belong to a field. */
export const typing = (element) => TYPED.has(element?.tagName);

/** Runs what a key stands for, unless somebody types or a dialog is open. */
export function bind(table) {
  const runs = new Map(table.flatMap(({ keys, run }) => keys.map((key) => [key, run])));
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    if (typing(target) && key !== "Escape") return;
    if (key.startsWith("Arrow") && target.closest("#detail, .scrolls")) return;
    const run = runs.get(key);
    if (!run) return;
    event.preventDefault();
    run();
  });
}
