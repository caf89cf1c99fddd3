// The sections of the office, in the order of the rail: the path below /floor/office, the
// icon, the key that reads its records, and the letter that follows "g". The daily ones
// come first, then the set-up in the order of need.
import { may } from "../../core/permissions.js";

export const SECTIONS = [
  { name: "dashboard", icon: "chart-line", key: "orders:view", letter: "d" },
  { name: "notifications", icon: "bell", key: "notifications:view", letter: "n" },
  { name: "orders", icon: "clipboard-list", key: "orders:view", letter: "o" },
  { name: "requests", icon: "file-text", key: "requests:view", letter: "r" },
  { name: "panes", icon: "layers", key: "panes:view", letter: "p" },
  { name: "claims", icon: "triangle-alert", key: "claims:view", letter: "c" },
  { name: "customers", icon: "users", key: "customers:view", letter: "u" },
  { name: "stock", icon: "warehouse", key: "inventory:view", letter: "s" },
  { name: "withdrawals", icon: "truck", key: "withdrawals:view", letter: "w" },
  { name: "setup", icon: "factory", key: "stations:manage", letter: "i" },
  { name: "station-templates", icon: "layout-grid", key: "station_templates:view", letter: "a" },
  { name: "stations", icon: "map-pin", key: "stations:view", letter: "t" },
  { name: "materials", icon: "package", key: "materials:view", letter: "m" },
  { name: "job-types", icon: "wrench", key: "job_types:view", letter: "j" },
  { name: "prices", icon: "tag", key: "pricing:view", letter: "b" },
  { name: "labels", icon: "qr-code", key: "sticker_templates:view", letter: "f" },
  { name: "people", icon: "id-card", key: "workers:view", letter: "e" },
  { name: "roles", icon: "shield-check", key: "roles:view", letter: "l" },
  { name: "webhooks", icon: "webhook", key: "*", letter: "k" },
];

/** The sections whose records the worker may read. */
export const sections = () => SECTIONS.filter(({ key }) => may(key));
