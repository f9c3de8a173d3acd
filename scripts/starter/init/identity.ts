import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { API_LOCALE, LOCALES, type Locale } from "~/i18n/locale";
import { editFile } from "./edit-file";

/** The name as npm and container registries write it: `My Shop!` is `my-shop`. */
export function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return slug || "my-product";
}

export function setName(folder: string, name: string): void {
  const slug = slugOf(name);
  const { name: before } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  setConstant(folder, "PRODUCT_NAME", name);
  editFile(folder, "package.json", (text) => text.replace(NPM_NAME, `"name": "${slug}"`));
  // The lockfile names the project at its top and once more as the root of its packages.
  editFile(folder, "package-lock.json", (text) =>
    text.replace(NPM_NAME, `"name": "${slug}"`).replace(LOCKED_NAME, `$1"name": "${slug}"`),
  );
  editFile(folder, "compose.yaml", (text) => text.replace(/(image: &image ).*/, `$1${slug}`));
  editFile(folder, "docs/docker.md", (text) => text.replaceAll(before, slug));
}

const NPM_NAME = /"name": "[^"]*"/;
const LOCKED_NAME = /("": \{\s*)"name": "[^"]*"/;

export function setCurrency(folder: string, currency: string): void {
  setConstant(folder, "CURRENCY", currency);
}

export function setImagesInDevelopment(folder: string, value: boolean): void {
  setConstant(folder, "IMAGES_IN_DEVELOPMENT: boolean", value);
}

function setConstant(folder: string, constant: string, value: string | boolean): void {
  // A function, because `$&` in a text would stand for what was found.
  const line = () => `export const ${constant} = ${JSON.stringify(value)};`;
  editFile(folder, "app/catalog.ts", (text) =>
    text.replace(new RegExp(`^export const ${constant} = .*$`, "m"), line),
  );
}

/** Shows the sender where `.env.example` describes `EMAIL_FROM`. Each deployment sets it for itself. */
export function showSender(folder: string, name: string, sender: string): void {
  editFile(folder, ".env.example", (text) =>
    text.replace(/(?<=^# Mail, like .* and ).*$/m, () => `${name} <${sender}>`),
  );
}

/** Takes out the languages that are not in `kept`. A default language that goes leaves its place to English. */
export function keepLocales(folder: string, kept: Locale[]): void {
  const dropped = LOCALES.filter((locale) => !kept.includes(locale));
  for (const locale of dropped) {
    editFile(folder, "app/i18n/locale.ts", (text) =>
      text
        .replace(new RegExp(`(LOCALES = \\[.*?), "${locale}"`), "$1")
        .replace(new RegExp(`,? ${locale}: "[^"]*"`), "")
        .replace(new RegExp(`(DEFAULT_LOCALE: Locale = )"${locale}"`), `$1"${API_LOCALE}"`),
    );
    editFile(folder, "app/i18n/messages.server.ts", (text) =>
      text
        .replace(new RegExp(`import ${locale} from .*\\n`), "")
        .replace(new RegExp(`(MESSAGES.*), ${locale}\\b`), "$1"),
    );
    rmSync(path.join(folder, `app/i18n/locales/${locale}.json`));
  }
}
