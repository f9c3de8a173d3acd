import { CATALOG_ITEMS, slotOf } from "~/catalog";
import { legacyPriceNames } from "~/env/prices";

export const ENV_EXAMPLE = ".env.example";

/** Returns the variables in a `.env.example`, including commented ones, in order. */
export function namesInExample(text: string): string[] {
  return [...text.matchAll(/^(?:# ?)?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = ""]) => name);
}

/** Each list of variables that depends on the catalog, with the comment above it. An empty list has none. */
const CATALOG_LISTS: [heading: string, names: string[]][] = [
  ["# Price ids (price_…, never prod_…).", slotNames("PROVIDER_A_PRICE")],
  ["# Legacy names of monthly prices, read where those above are unset.", legacyPriceNames()],
  ["# Product ids (prod_…), one for each price and interval.", slotNames("PROVIDER_B_PRODUCT")],
];

/**
 * Returns the text with the lists of prices and products updated from the catalog. Throws if a heading
 * is missing.
 */
export function withCatalogNames(text: string): string {
  return CATALOG_LISTS.reduce((result, [heading, names]) => {
    const blocks = result.split("\n\n");
    const at = blocks.findIndex((block) => block.startsWith(`${heading}\n`));
    if (at < 0 && names.length > 0) throw new Error(`${ENV_EXAMPLE} has no line "${heading}"`);
    if (at < 0) return result;
    const ending = blocks[at]?.endsWith("\n") ? "\n" : "";
    const list = [heading, ...names.map((name) => `# ${name}=`)].join("\n") + ending;
    return blocks.toSpliced(at, 1, ...(names.length > 0 ? [list] : [])).join("\n\n");
  }, text);
}

function slotNames(prefix: string): string[] {
  return CATALOG_ITEMS.map((item) => `${prefix}_${slotOf(item).toUpperCase()}`);
}
