import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHECK_IDS } from "../../scripts/preflight/check-ids";

const page = readFileSync("docs/preflight.md", "utf8");
const reports = [...page.matchAll(/^\$ npm run --silent preflight\n([\s\S]*?)^\$ echo/gm)].map(
  ([, report = ""]) => report,
);
const offline = CHECK_IDS.filter((id) => !id.startsWith("online."));

test("docs/preflight.md explains every check, in the report's order", () => {
  const explained = [...page.matchAll(/^\| `([a-z-]+\.[a-z-]+)` \|/gm)].map(([, id]) => id);
  expect(explained).toEqual([...CHECK_IDS]);
});

test("the reports that it shows have every check, and their sums are right", () => {
  expect(reports).toHaveLength(2);
  for (const report of reports) {
    const lines = [...report.matchAll(/^(pass|fail|warn|skip) {2}(\S+)/gm)];
    expect(lines.map(([, , id]) => id)).toEqual([...offline, "online.*"]);
    const count = (status: string) => lines.filter(([, of]) => of === status).length;
    // The report sums up the checks over the network in one line.
    const skipped = count("skip") - 1 + CHECK_IDS.length - offline.length;
    const sums = `${count("fail")} failed, ${count("warn")} warned, ${count("pass")} passed, ${skipped} skipped`;
    expect(report).toContain(`\n${sums}\n`);
  }
});
