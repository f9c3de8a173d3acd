import { CATALOG_ITEMS, slotOf } from "~/catalog";
import { legacyPriceNames } from "~/env/prices";

export const ENV_EXAMPLE = ".env.example";

/** Returns the variables in a `.env.example`, including commented ones, in order. */
export function namesInExample(text: string): string[] {
  return [...text.matchAll(/^(?:# ?)?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = ""]) => name);
}

/** Each list of variables that depends on the catalog, with the comment above it. */
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
    const start = result.indexOf(`${heading}\n`);
    if (start < 0) throw new Error(`${ENV_EXAMPLE} has no line "${heading}"`);
    const end = result.indexOf("\n\n", start);
    const list = names.map((name) => `# ${name}=`).join("\n");
    return `${result.slice(0, start)}${heading}\n${list}${end < 0 ? "\n" : result.slice(end)}`;
  }, text);
}

function slotNames(prefix: string): string[] {
  return CATALOG_ITEMS.map((item) => `${prefix}_${slotOf(item).toUpperCase()}`);
}
