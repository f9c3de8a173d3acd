import { type Finding, fault, warning } from "../check";

/** How many days before a model's end the preflight warns. */
const NOTICE_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Judges the last day of a provider's model, as in 2026-12-01. Returns null if it is far away or unknown. */
export function judgeEnd(options: {
  name: string;
  model: string;
  end: string | null;
  action: string;
}): Finding | null {
  const { name, model, end, action } = options;
  if (end === null) return null;
  const days = Math.floor((Date.parse(end) - Date.now()) / DAY_MS);
  if (days < 0) return fault(`${name} ended ${model} on ${end}`, action);
  return days < NOTICE_DAYS ? warning(`${name} ends ${model} on ${end}`, action) : null;
}
