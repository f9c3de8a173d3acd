import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const PACKS = `[
  { skuKey: "mini", credits: 70, amount: 399 },
  { skuKey: "maxi", credits: 900, amount: 4200 },
]`;

const PLANS = `[
  {
    planKey: "writer",
    nameKey: "plans.writer",
    creditsPerMonth: 450,
    amounts: { month: 1100, year: 12_000 },
  },
]`;

/** Every place where a product differs from the starter, as docs/make-it-yours.md lists them. */
const PLACES: Record<string, (text: string) => string> = {
  "app/catalog.ts": (text) =>
    text
      .replace(/(PRODUCT_NAME = ).*/, '$1"Scribo";')
      .replace(/(CURRENCY = ).*/, '$1"eur";')
      .replace(/(CREDITS_PER_IMAGE = ).*/, "$17;")
      .replace(/(PACKS = )\[[\s\S]*?\n\]/, `$1${PACKS}`)
      .replace(/(PLANS = )\[[\s\S]*?\n\]/, `$1${PLANS}`),
  "app/i18n/locale.ts": (text) =>
    text
      .replace(/(LOCALES = ).*/, '$1["en", "de"] as const;')
      .replace(/(LOCALE_NAMES.* = ).*/, '$1{ en: "English", de: "Deutsch" };'),
  "app/i18n/messages.server.ts": (text) =>
    text
      .replace(/import es.*\nimport zh.*\n/, "")
      .replace(/(import en )/, 'import de from "./locales/de.json";\n$1')
      .replace("{ en, es, zh }", "{ en, de }"),
  "app/i18n/locales/en.json": nameThePlan("Writer plan"),
  "app/i18n/locales/es.json": nameThePlan("Plan Writer"),
  "package.json": (text) => text.replace('"remix-credits-starter"', '"scribo"'),
};

/**
 * Makes another product of the project in `folder`: another name, currency, other packs, one plan, other
 * amounts, a language more and two fewer. The texts of the new language are Spanish: they count as translated.
 */
export function makeOtherProduct(folder: string): void {
  for (const [file, change] of Object.entries(PLACES)) edit(path.join(folder, file), change);
  const locales = path.join(folder, "app/i18n/locales");
  renameSync(path.join(locales, "es.json"), path.join(locales, "de.json"));
  rmSync(path.join(locales, "zh.json"));
}

/** Throws if nothing changed: the place has moved. */
function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(file, "utf8");
  const after = change(before);
  if (after === before) throw new Error(`${file} has nothing to change: correct its row in PLACES`);
  writeFileSync(file, after);
}

function nameThePlan(name: string) {
  return (text: string) =>
    text.replace(
      /("plans": \{)[^}]*\}/,
      `$1
    "writer": "${name}"
  }`,
    );
}
