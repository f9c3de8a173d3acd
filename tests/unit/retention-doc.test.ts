import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KEPT_DAYS, WAITING_DAYS } from "~/models/jobs/job-kinds";
import {
  DEAD_PAYLOAD_DAYS,
  OUTDATED,
  PROCESSED_PAYLOAD_DAYS,
} from "~/models/upkeep/record-sweeps.server";

const page = readFileSync("docs/backups.md", "utf8");
const table = page.slice(
  page.indexOf("## What is kept how long"),
  page.indexOf("## Restoring, rehearsed"),
);
const rowOf = (text: string) => table.split("\n").find((line) => line.includes(text)) ?? "";

test.each(Object.entries(OUTDATED))("the table says how long %s are kept", (kind, [, isOver]) => {
  const row = rowOf(`\`${kind}\``);
  expect(row).not.toBe("");
  // An interval in SQL, or a number of days or hours that the statement was given.
  const written = /interval '(\d+) (day|hour)s?'/.exec(isOver.text);
  const days = isOver.text.includes("days =>") ? isOver.values.map((value) => `${value} days`) : [];
  for (const time of written ? [`${written[1]} ${written[2]}`] : days) expect(row).toContain(time);
  if (!written && days.length === 0) expect(row).toContain("until they end");
});

test("the table has the days of payment events' bytes and of jobs", () => {
  expect(rowOf("events that were processed")).toContain(`${PROCESSED_PAYLOAD_DAYS} days`);
  expect(rowOf("events that are dead")).toContain(`${DEAD_PAYLOAD_DAYS} days`);
  expect(rowOf("jobs of background work")).toContain(`${KEPT_DAYS} days`);
  expect(rowOf("jobs of background work")).toContain(`${WAITING_DAYS} days`);
});
