// The sections of the office in the order of the menu: path below /floor/office, icon, key to
// read it, and what follows "g".
import { may } from "../../core/permissions.js";

const GROUPS = {
  work: [
    { name: "today", icon: "sun", key: "orders:view", letter: "7" },
    { name: "dashboard", icon: "chart-line", key: "orders:view", letter: "d" },
    { name: "sales", icon: "chart-column", key: "pricing:view", letter: "1" },
    { name: "notifications", icon: "bell", key: "notifications:view", letter: "n" },
    { name: "orders", icon: "clipboard-list", key: "orders:view", letter: "o" },
    { name: "requests", icon: "file-text", key: "requests:view", letter: "r" },
    { name: "quotes", icon: "receipt-text", key: "pricing:view", letter: "x" },
    { name: "billing", icon: "banknote", key: "pricing:view", letter: "g" },
    { name: "payments", icon: "circle-check", key: "pricing:view", letter: "2" },
    { name: "panes", icon: "layers", key: "panes:view", letter: "p" },
    { name: "racks", icon: "package", key: "panes:view", letter: "5" },
    { name: "calls", icon: "circle-help", key: "panes:view", letter: "4" },
    { name: "deliveries", icon: "truck", key: "orders:view", letter: "z" },
    { name: "claims", icon: "triangle-alert", key: "claims:view", letter: "c" },
    { name: "customers", icon: "users", key: "customers:view", letter: "u" },
  ],
  stock: [
    { name: "cutting", icon: "ruler", key: "inventory:view", letter: "8" },
    { name: "stock", icon: "warehouse", key: "inventory:view", letter: "s" },
    { name: "withdrawals", icon: "package-minus", key: "withdrawals:view", letter: "w" },
    { name: "materials", icon: "package", key: "materials:view", letter: "m" },
    { name: "prices", icon: "tag", key: "pricing:view", letter: "b" },
    { name: "price-lists", icon: "badge-check", key: "pricing:view", letter: "q" },
    { name: "workshop", icon: "settings", key: "pricing:view", letter: "y" },
  ],
  people: [
    { name: "people", icon: "id-card", key: "workers:view", letter: "e" },
    { name: "roles", icon: "shield-check", key: "roles:view", letter: "l" },
    { name: "activity", icon: "history", key: "orders:view", letter: "v" },
  ],
  setup: [
    { name: "setup", icon: "factory", key: "stations:manage", letter: "i" },
    { name: "stations", icon: "map-pin", key: "stations:view", letter: "t" },
    { name: "hours", icon: "clock", key: "stations:view", letter: "6" },
    { name: "station-templates", icon: "layout-grid", key: "station_templates:view", letter: "a" },
    { name: "job-types", icon: "wrench", key: "job_types:view", letter: "j" },
    { name: "labels", icon: "qr-code", key: "sticker_templates:view", letter: "f" },
    { name: "webhooks", icon: "webhook", key: "*", letter: "k" },
    { name: "kept", icon: "hourglass", key: "*", letter: "3" },
  ],
};

export const SECTIONS = Object.values(GROUPS).flat();

/** The sections whose records the worker may read, by group. */
export const groups = () =>
  Object.entries(GROUPS)
    .map(([group, all]) => ({ group, shown: all.filter(({ key }) => may(key)) }))
    .filter(({ shown }) => shown[0]);

/** All of these. */
export const sections = () => groups().flatMap(({ shown }) => shown);
