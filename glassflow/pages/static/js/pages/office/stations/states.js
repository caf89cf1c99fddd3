// The states of a station: its icon, and the status whose colour it has.
export const STATES = {
  online: { icon: "circle-check", like: "completed" },
  offline: { icon: "ban", like: "cancelled" },
  maintenance: { icon: "wrench", like: "claimed" },
};
export const MAINTENANCE = "maintenance";
export const COLORS = ["sky", "blue", "violet", "pink", "red", "orange", "yellow", "green", "teal", "slate"];
