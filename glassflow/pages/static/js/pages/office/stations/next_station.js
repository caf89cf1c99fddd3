// What the form of a new station begins with.
import { COLORS } from "./states.js";

/** The values of a station after `stations`: the first of the colours used least, the last position. */
export function nextStation(stations, templateId) {
  const uses = COLORS.map((color) => stations.filter(({ colorId }) => colorId === color).length);
  return {
    templateId,
    position: Math.max(0, ...stations.map(({ position }) => position ?? 0)) + 1,
    colorId: COLORS[uses.indexOf(Math.min(...uses))],
    status: "online",
    isLaminateStation: false,
    showWithdrawClaimActions: true,
  };
}
