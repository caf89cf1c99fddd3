// Small parts of many pages: icons, the mark, and the choices of this device.
import { h, html, SHAPES } from "../../vendor/ui.js";
import { changeLanguage, LANGUAGES, t } from "../core/i18n.js";
import { lang, setTheme, theme } from "../core/preferences.js";

/** An icon in the colour of the text beside it, which names it. */
export function Icon({ name }) {
  const shapes = SHAPES[name].map(([tag, attributes]) => h(tag, attributes));
  return h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, shapes);
}

/** The mark of the service, three panes of glass; a link where there is an `href`. */
export function Brand({ href }) {
  const mark = html`<svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
    <path class="pane-dark" d="M9 2h2v28H9a7 7 0 0 1-7-7V9a7 7 0 0 1 7-7z" />
    <path class="pane-middle" d="M11 2h9v28h-9z" />
    <path class="pane-light" d="M20 2h3a7 7 0 0 1 7 7v14a7 7 0 0 1-7 7h-3z" />
  </svg>`;
  return href
    ? html`<a class="brand" href=${href}>${mark}<span>glassflow</span></a>`
    : html`<p class="brand">${mark}<span>glassflow</span></p>`;
}

/** The language and the theme of this device. */
export function Switches() {
  const other = theme.value === "dark" ? "light" : "dark";
  const choice = (code) => html`<button type="button" lang=${code} key=${code}
    aria-pressed=${String(lang.value === code)} onClick=${() => changeLanguage(code).catch(console.warn)}>
    ${LANGUAGES[code]}</button>`;
  return html`<div class="switches">
    <div class="choices" role="group" aria-label=${t("switch.lang")}>
      ${Object.keys(LANGUAGES).map(choice)}
    </div>
    <button type="button" class="icon-button" aria-label=${t(`switch.${other}`)}
      title=${t(`switch.${other}`)} onClick=${() => setTheme(other)}>
      <${Icon} name=${other === "light" ? "sun" : "moon"} />
    </button>
  </div>`;
}
