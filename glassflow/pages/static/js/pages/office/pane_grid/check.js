// Which limits of making the rows of a request are beyond, as the service judges them.
import { useEffect, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { gapCount, onEvent } from "../../../core/events.js";
import { joinRoom } from "../../../core/live.js";
import { may } from "../../../core/permissions.js";
import { useAnswer } from "./price.js";
import { isBlank, readable } from "./rows.js";

/**
 * The findings of a row, while the rows are typed: a function of the row. `onFindings` gets another
 * one, of a row and the name of a cell, which returns one finding; without a name the worst one.
 */
export function useFindings(rows, onFindings) {
  const checked = rows.filter((row) => !isBlank(row));
  const panes = checked.map(readable);
  const ask = async () => {
    if (!panes.length || !may("panes:view")) return null;
    const { data } = await api("/makeability/check", { method: "POST", body: { panes } });
    return new Map(data.panes.map(({ findings }, index) => [checked[index].key, findings]));
  };
  const found = useAnswer(ask, [JSON.stringify(panes), useChangesOfLimits()]);
  const findingsOf = ({ key }) => found?.get(key) ?? [];
  useEffect(() => onFindings(() => (row, name) => findingAt(findingsOf(row), name)), [found]);
  return findingsOf;
}

/** How often the limits have changed, or may have, since the page was opened. */
function useChangesOfLimits() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    joinRoom("dashboard").catch(() => {});
    return onEvent("makeability:updated", () => setCount((before) => before + 1));
  }, []);
  return count + gapCount.value;
}

function findingAt(findings, name) {
  if (!name) return findings.find(({ level }) => level === "refusal") ?? findings[0];
  return findings.find(({ at }) => at === `dimensions.${name}` || at === `rawGlass.${name}`);
}
