import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { BrowserContext, Page } from "playwright-core";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Puts axe into every page that the context opens. The pages' own policy lets no other script in. */
export async function addAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: SOURCE });
}

/** WCAG 2.2 A and AA, and what axe calls best practice. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A theme changes colours alone. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Lists what axe finds on a page of a context with `addAxe`, one line for each element. */
export async function listFindings(page: Page, only?: "colours"): Promise<string[]> {
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
