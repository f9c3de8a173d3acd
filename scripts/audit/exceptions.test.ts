import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { judgeReport } from "./advisories";
import {
  DEADLINE_DAYS,
  type Exception,
  exceptionsSchema,
  lastDayOf,
  listFaultyExceptions,
} from "./exceptions";

const ENTRY: Exception = {
  id: "GHSA-aaaa-bbbb-cccc",
  package: "left-pad",
  severity: "moderate",
  published: "2026-01-31",
  reason: "the update is under way on a branch",
};

/** `npm audit --json` with this advisory, which a second package has by the first. */
const REPORT = {
  auditReportVersion: 2,
  vulnerabilities: {
    "left-pad": {
      via: [
        {
          source: 9,
          name: "left-pad",
          title: "a weakness",
          url: "https://github.com/advisories/GHSA-aaaa-bbbb-cccc",
          severity: "moderate",
        },
      ],
    },
    pad: { via: ["left-pad"] },
  },
};

test.each([
  ["critical", "2026-02-02"],
  ["high", "2026-02-07"],
  ["moderate", "2026-03-02"],
  ["low", "2026-05-01"],
] as const)(
  "an exception of severity %s counts until %s and ends the day after",
  (severity, last) => {
    const entry = { ...ENTRY, severity };
    expect(lastDayOf(entry)).toBe(last);
    expect(listFaultyExceptions([entry], last)).toEqual([]);
    const after = new Date(Date.parse(last) + 24 * 60 * 60_000).toISOString().slice(0, 10);
    expect(listFaultyExceptions([entry], after)).toEqual([
      expect.stringContaining(`the exception ended on ${last}`),
    ]);
  },
);

test("one that does no harm counts for longer, and not for good", () => {
  const entry = { ...ENTRY, harmlessUntil: "2026-12-31" };
  expect(listFaultyExceptions([entry], "2026-12-31")).toEqual([]);
  expect(listFaultyExceptions([entry], "2027-01-01")).toHaveLength(1);
  const forGood = { ...ENTRY, harmlessUntil: "2099-12-31" };
  expect(listFaultyExceptions([forGood], "2026-12-31")).toEqual([
    expect.stringContaining("more than a year away"),
  ]);
});

test("a publication in the future is a slip", () => {
  expect(listFaultyExceptions([ENTRY], "2026-01-30")).toEqual([
    expect.stringContaining("in the future"),
  ]);
});

test("an exception covers its own advisory", () => {
  expect(judgeReport(REPORT, [ENTRY])).toEqual({
    faults: [],
    notes: ["GHSA-aaaa-bbbb-cccc in left-pad (moderate): excepted until 2026-03-02"],
  });
});

test.each<[string, Partial<Exception>, string]>([
  ["another package", { package: "right-pad" }, "list it with the day of its publication"],
  ["another advisory", { id: "GHSA-aaaa-bbbb-dddd" }, "list it with the day of its publication"],
  ["another severity", { severity: "low" }, "is of severity moderate now"],
])("an exception for %s does not cover it", (_what, change, line) => {
  const { faults } = judgeReport(REPORT, [{ ...ENTRY, ...change }]);
  expect(faults).toEqual([expect.stringContaining(line)]);
});

test("a report in no known form fails", () => {
  expect(() => judgeReport({ auditReportVersion: 3 }, [])).toThrow();
});

test.each<[string, object]>([
  ["no reason", { reason: "harmless" }],
  ["no day of publication", { published: undefined }],
  ["an end before its publication", { harmlessUntil: "2026-01-30" }],
  ["a severity that npm doesn't have", { severity: "medium" }],
])("an exception with %s is refused", (_what, change) => {
  expect(exceptionsSchema.safeParse([{ ...ENTRY, ...change }]).success).toBe(false);
  expect(exceptionsSchema.safeParse([ENTRY]).success).toBe(true);
});

test("SECURITY.md promises the deadlines that the audit holds", () => {
  const rows = readFileSync("SECURITY.md", "utf8").matchAll(/^\| (\w+) \(.*\| (\d+) days \|$/gm);
  const promised = [...rows].map(([, name = "", days]) => [
    name.replace("medium", "moderate"),
    Number(days),
  ]);
  expect(Object.fromEntries(promised)).toEqual(DEADLINE_DAYS);
});
