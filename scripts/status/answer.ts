/** An answer to one question of the screen. */
export interface Answer {
  /** Stable: scripts rely on it. */
  id: string;
  title: string;
  /** Plain sentences. */
  lines: string[];
  /** Overdue or wrong things, each with its remedy. */
  problems: string[];
  /** The same in numbers, for `--json`. */
  facts: object;
}

/** "3 minutes ago"; "never" for null. */
export function ago(time: Date | null, now = Date.now()): string {
  if (time === null) return "never";
  return `${duration((now - time.getTime()) / 1_000)} ago`;
}

const UNITS: [string, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** "2 hours", "3 days": the largest unit of which there are two. */
export function duration(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= 2 * size) ?? ["second", 1];
  const count = Math.max(0, Math.round(seconds / size));
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en")}${count >= 10_000 ? " or more" : ""} ${count === 1 ? one : many}`;
