import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** WCAG 2.2 A and AA, and what axe calls best practice. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A theme changes colours alone. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * Lists what axe finds on the page, one line for each element. Evaluated by the debugger, because the
 * page's own policy lets no other script in.
 */
export async function listFindings(page: Page, only?: "colours"): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE);
  const options: axe.RunOptions = {
    resultTypes: ["violations"],
    runOnly:
      only === "colours" ? { type: "rule", values: OF_COLOURS } : { type: "tag", values: TAGS },
    rules: { "target-size": { enabled: true } },
  };
  const { violations } = await page.evaluate(
    (options) => (window as unknown as { axe: typeof axe }).axe.run(document, options),
    options,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => {
      const why = failureSummary.split("\n").slice(1).join(" ").trim();
      return `${id}: ${html.slice(0, 160)}: ${why}`;
    }),
  );
}
