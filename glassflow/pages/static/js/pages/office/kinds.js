// The kinds of glass among panes, and what an order makes of them: materials and stations.
import { number, t } from "../../core/i18n.js";
import { idOf } from "../../core/records.js";
import { numberOf } from "../../ui/numbers.js";

const PART = 100; // ids in one entry of an order's list: the API limits the length of arrays

const isCounted = ({ laminateRole, currentStatus }) => laminateRole !== "sheet" && currentStatus !== "merged_into";

/** The panes that count as pieces of work: a laminated unit is one. */
export const countOf = (panes) => panes.filter(isCounted).length;

const glassOf = ({ rawGlass, glassType }) => [rawGlass?.glassType || glassType, rawGlass?.color];
const thicknessOf = ({ dimensions, rawGlass }) => dimensions?.thickness || rawGlass?.thickness || null;

/** The glass of a pane in words; the thickness is added where the label lacks it. */
export function wordsOf(pane) {
  const glass = pane.glassTypeLabel || glassOf(pane).filter(Boolean).join(" ");
  const thickness = thicknessOf(pane);
  const isNamed = new RegExp(`(^|[^\\d.])${thickness}\\s*(mm|มม)`, "i").test(glass);
  const size = thickness && !isNamed && t("office.mm", { size: number(thickness) });
  return [glass, size].filter(Boolean).join(" ") || t("office.unknownGlass");
}

/**
 * The kinds of glass among panes, that of most panes first: [{key, words, panes, own, material,
 * routes}]. A kind is what has one material: `own` is the one that its panes have, as it was
 * read, else `material` the id that `suggested(pane)` returns, or null. `panes` are ids; that of
 * a unit stands for its sheets. `routes` are the different routes, as ids of stations.
 */
export function kindsOf(panes, suggested = (_) => null) {
  const sheets = new Map(panes.filter((one) => one.laminateRole === "sheet").map((one) => [idOf(one.parentPane), one]));
  const kinds = new Map();
  for (const pane of panes.filter(isCounted)) {
    const own = pane.material ?? null;
    const material = own ? idOf(own) : (suggested(pane) ?? null);
    const words = wordsOf(pane);
    const key = JSON.stringify([words.toLowerCase(), thicknessOf(pane), Boolean(own), material]);
    const kind = kinds.get(key) ?? { key, words, own, material, panes: [], work: [] };
    kind.panes.push(pane._id);
    kind.work.push({ pane, route: [...(sheets.get(pane._id)?.routing ?? []), ...pane.routing].map(idOf) });
    kinds.set(key, kind);
  }
  return [...kinds.values()]
    .map(({ work, ...kind }) => ({ ...kind, routes: routesOf(work) }))
    .sort((one, other) => other.panes.length - one.panes.length);
}

// A laminated pane and a remake have what is left of a route, which is no other one.
function routesOf(work) {
  const whole = work.filter(({ pane }) => !pane.laminateMergedAt && !pane.remakeOf);
  return different((whole.length ? whole : work).map(({ route }) => route));
}

const different = (routes) => [...new Map(routes.map((route) => [route.join(), route])).values()];

/** The one active material that is of the glass and thickness of a pane, as its id; else null. */
export function matching(pane, materials) {
  const [type, color] = glassOf(pane).map(plain);
  const fits = ({ specDetails: spec }) =>
    plain(spec?.glassType) === type &&
    numberOf(spec.thickness) === thicknessOf(pane) &&
    (!color || !plain(spec.color) || plain(spec.color) === color);
  const found = type ? materials.filter(fits) : [];
  return found.length === 1 ? found[0]._id : null;
}

const plain = (text) => (text ?? "").trim().toLowerCase();

/** The material of a kind: the one of its panes, the chosen one, or the suggested one. */
export const materialOf = (kind, chosen) => idOf(kind.own) ?? chosen?.[kind.key] ?? kind.material;

/**
 * What the body of an order says of the materials of several kinds: {material, paneMaterials},
 * where the order has that of the first kind. `chosen` are ids by the keys of kinds.
 */
export function materialsOf(kinds, chosen) {
  const [material, ...others] = kinds.map((kind) => materialOf(kind, chosen));
  const paneMaterials = kinds.slice(1).flatMap(({ own, panes }, index) => {
    if (own || others[index] === material) return [];
    const starts = Array.from({ length: Math.ceil(panes.length / PART) }, (_, part) => part * PART);
    return starts.map((start) => ({ panes: panes.slice(start, start + PART), material: others[index] }));
  });
  return { material, ...(paneMaterials.length && { paneMaterials }) };
}

/**
 * The stations of an order: the route of its panes, if all have the same; else each station of
 * their routes once, in the order of `known`, the ids of all stations by position.
 */
export function stationsOf(kinds, known) {
  const routes = different(kinds.flatMap(({ routes }) => routes));
  if (routes.length < 2) return routes[0] ?? [];
  const place = (id) => (known.includes(id) ? known.indexOf(id) : known.length);
  return [...new Set(routes.flat())].sort((one, other) => place(one) - place(other));
}
