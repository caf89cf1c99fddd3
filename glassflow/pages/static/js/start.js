// Runs before the first paint, so that no page flashes in the other theme: language and
// theme as chosen on this device, else as the browser prefers. A classic script, because
// modules run later; core/preferences.js changes both afterwards.
(() => {
  const saved = (name, values) => {
    try {
      const value = localStorage.getItem(`glassflow.${name}`);
      return values.includes(value) ? value : null;
    } catch {
      return null; // storage may be turned off
    }
  };
  const languages = ["th", "en"];
  const root = document.documentElement;
  const preferred = (navigator.languages ?? []).map((tag) => tag.slice(0, 2));
  const light = matchMedia("(prefers-color-scheme: light)").matches;
  root.lang = saved("lang", languages) ?? preferred.find((tag) => languages.includes(tag)) ?? "th";
  root.dataset.theme = saved("theme", ["dark", "light"]) ?? (light ? "light" : "dark");

  // The texts of every page, which the shell cannot name before the language is known.
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const href = new URL(`../texts/start.${root.lang}.js`, src).href;
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));

  // While the service starts it may serve one of the first files and not the next.
  const say = () => document.getElementById("not-loaded")?.removeAttribute("hidden");
  const again = () => {
    say();
    addEventListener("DOMContentLoaded", say); // a file may fail before the words are there
    setTimeout(
      () => fetch(location.href, { method: "HEAD" }).then(({ ok }) => (ok ? location.reload() : again()), again),
      4000,
    );
  };
  addEventListener(
    "error",
    ({ target }) => target instanceof Element && target.matches("script, head > link[href$='/main.css']") && again(),
    true,
  );
})();
