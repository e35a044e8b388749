// Theme: loaded before the first paint, so that a dark room stays dark.
(() => {
  const KEY = "pinyon.theme";
  const root = document.documentElement;
  const kept = localStorage.getItem(KEY);
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;

  const dark = () =>
    root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;

  window.toggleTheme = () => {
    root.dataset.theme = dark() ? "light" : "dark";
    localStorage.setItem(KEY, root.dataset.theme);
    return root.dataset.theme;
  };
})();
