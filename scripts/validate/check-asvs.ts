import type { TextFile } from "../lib/read-files";
import { ASVS_ITEMS, type AsvsItem } from "./asvs-items";
import type { Problem } from "./problem";

export const ASVS_DOC = "docs/asvs.md";

const STATES = ["met", "not applicable", "operator", "not met"] as const;
const COUNTED = ASVS_ITEMS.filter(({ level }) => level < 3);
const ROW = /^\| *(\d+\.\d+\.\d+) *\|(.*)\|$/;
const PROOF = /`([\w$./[\]-]+\.test\.tsx?)`(?:: "([^"]+)")?/g;
const TOTALS = /(?<=<!-- totals -->\n\n)[\s\S]*?(?=\n\n<!-- \/totals -->)/;

interface Row {
  line: number;
  id: string;
  level: string;
  asks: string;
  state: string;
  how: string;
}

interface AsvsCheck {
  doc: TextFile;
  /** The titles of a file's tests; null if there is no such file. */
  titlesOf: (file: string) => string[] | null;
}

/**
 * Finds faults in the table of ASVS items: an item of level 1 or 2 that is missing or stands twice, a state
 * that isn't one of the four, a met item without a test that exists, and totals that are wrong.
 */
export function checkAsvs({ doc, titlesOf }: AsvsCheck): Problem[] {
  const rows = readRows(doc.text);
  const missing = COUNTED.filter(({ id }) => !rows.some((row) => row.id === id));
  const faults = [
    ...missing.map(({ id }) => ({ line: 1, text: `there is no row for ${id}: add one` })),
    ...rows.flatMap((row, index) => {
      const isRepeated = rows.slice(0, index).some(({ id }) => id === row.id);
      const texts = [
        ...(isRepeated ? [`${row.id} has a row already: keep one`] : []),
        ...faultsOf(row, titlesOf),
      ];
      return texts.map((text) => ({ line: row.line, text }));
    }),
  ];
  if (withTotals(doc.text) !== doc.text || !TOTALS.test(doc.text)) {
    faults.push({ line: 1, text: "its totals are wrong: run npm run validate:docs -- --write" });
  }
  return faults.map((fault) => ({ file: doc.file, ...fault }));
}

function readRows(text: string): Row[] {
  return text.split("\n").flatMap((line, index) => {
    const [, id, rest] = ROW.exec(line) ?? [];
    if (!id || rest === undefined) return [];
    const [level = "", asks = "", state = "", ...how] = rest.split("|").map((cell) => cell.trim());
    return [{ line: index + 1, id, level, asks, state, how: how.join("|") }];
  });
}

function faultsOf(row: Row, titlesOf: AsvsCheck["titlesOf"]): string[] {
  const item = COUNTED.find(({ id }) => id === row.id);
  if (!item) return [`${row.id} is not an item of level 1 or 2: remove the row`];
  const faults: string[] = [];
  if (row.level !== String(item.level)) faults.push(`${row.id} is of level ${item.level}`);
  if (!row.asks || !row.how) faults.push(`${row.id} has an empty cell: fill it in`);
  if (!STATES.some((state) => state === row.state)) {
    faults.push(`${row.id} is "${row.state}": write ${STATES.join(", ")}`);
  }
  if (row.state === "met" && !isProven(row, item)) {
    faults.push(
      `${row.id} is met without proof: name a test as \`file.test.ts\`: "part of its title"`,
    );
  }
  if (row.state === "operator" && !row.how.includes("](production-checklist.md#")) {
    faults.push(`${row.id} is the operator's: link to the line of production-checklist.md`);
  }
  return [...faults, ...faultsOfProofs(row, titlesOf)];
}

/** Whether a row names a test, or a document where the item asks for one. */
function isProven({ how }: Row, { asksForDocument }: AsvsItem): boolean {
  const isDocumented = asksForDocument && /\]\([^)]+\.md(#[^)]+)?\)/.test(how);
  return isDocumented || [...how.matchAll(PROOF)].length > 0;
}

/** Tests are checked in every row: of what is not met, they prove what is there instead. */
function faultsOfProofs({ id, how }: Row, titlesOf: AsvsCheck["titlesOf"]): string[] {
  return [...how.matchAll(PROOF)].flatMap(([, file = "", title]) => {
    const titles = titlesOf(file);
    if (!titles) return [`${id}: there is no ${file}`];
    if (!title) return [`${id}: say which test of ${file}, as : "part of its title"`];
    const exists = titles.some((text) => text.includes(title));
    return exists ? [] : [`${id}: ${file} has no test whose title contains "${title}"`];
  });
}

/** Returns the document with the numbers of its rows between the marks for totals. */
export function withTotals(text: string): string {
  const rows = readRows(text);
  const count = (level: number | null, state: string | null) =>
    rows.filter(
      (row) =>
        (level === null || row.level === String(level)) && (state === null || row.state === state),
    ).length;
  const line = (name: string, level: number | null) =>
    `| ${[name, ...[...STATES, null].map((state) => count(level, state))].join(" | ")} |`;
  const head = ["Level", ...STATES, "all"];
  const table = [
    `| ${head.join(" | ")} |`,
    `| ${head.map(() => "---").join(" | ")} |`,
    line("1", 1),
    line("2", 2),
    line("both", null),
  ];
  return text.replace(TOTALS, () => table.join("\n"));
}
