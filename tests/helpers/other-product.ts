import { renameSync } from "node:fs";
import path from "node:path";
import { editFile } from "../../scripts/starter/init/edit-file";

const PACKS = `[
  { skuKey: "mini", credits: 70, amount: 399 },
  { skuKey: "maxi", credits: 1200, amount: 4299 },
]`;

const PLANS = `[
  {
    planKey: "writer",
    nameKey: "plans.writer",
    creditsPerMonth: 450,
    amounts: { month: 1099, year: 11_999 },
  },
]`;

/** Options of `npm run starter:init`. Spanish stays: it becomes the language more. */
export const INIT = [
  ...["--name", "Scribo", "--sender", "hallo@scribo.example", "--currency", "eur"],
  ...["--locales", "en,es", "--images", "off", "--git"],
  ...["--remove-advertising", "--remove-workshop", "--remove-history"],
];

/** Makes the changes that docs/make-it-yours.md asks of a product after that. */
const PLACES: Record<string, (text: string) => string> = {
  "app/catalog.ts": (text) =>
    text
      .replace("{ credits: 10, per: 1, least: 10 }", "{ credits: 7, per: 1, least: 7 }")
      .replace(/(PACKS = )\[[\s\S]*?\n\]/, `$1${PACKS}`)
      .replace(/(PLANS = )\[[\s\S]*?\n\]/, `$1${PLANS}`),
  "app/i18n/locale.ts": (text) =>
    text
      .replace('["en", "es"]', '["en", "it"]')
      .replace('es: "Español"', 'it: "Italiano"')
      .replace('DEFAULT_LOCALE: Locale = "en"', 'DEFAULT_LOCALE: Locale = "it"'),
  "app/i18n/messages.server.ts": (text) =>
    text
      .replace('import es from "./locales/es.json"', 'import it from "./locales/it.json"')
      .replace("{ en, es }", "{ en, it }"),
  "app/i18n/locales/en.json": nameThePlan("Writer plan"),
  "app/i18n/locales/es.json": nameThePlan("Plan Writer"),
};

/**
 * Makes another product of the project in `folder`, after `npm run starter:init`: other packs, one plan, odd
 * amounts, another language, which is the default. The texts of the new language (Italian, which has the
 * same plural forms) are Spanish: they count as translated.
 */
export function changeCatalog(folder: string): void {
  for (const [file, change] of Object.entries(PLACES)) editFile(folder, file, change);
  const locales = path.join(folder, "app/i18n/locales");
  renameSync(path.join(locales, "es.json"), path.join(locales, "it.json"));
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
