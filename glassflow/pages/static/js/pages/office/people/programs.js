// The names of programs, from what they call themselves.
const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
];
const SYSTEMS = ["Android", "iPad", "iPhone", "Windows", "Macintosh", "Linux"];

/** What a program calls itself, short: "Chrome, Windows"; other programs as they are. */
export function programOf(agent) {
  const browser = BROWSERS.find(([sign]) => agent.includes(sign))?.[1];
  if (!browser) return agent.slice(0, 40);
  return [browser, SYSTEMS.find((system) => agent.includes(system))].filter(Boolean).join(", ");
}
