import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { IMAGES_IN_DEVELOPMENT } from "~/catalog";
import { API_LOCALE, LOCALES } from "~/i18n/locale";
import {
  keepLocales,
  setCurrency,
  setImagesInDevelopment,
  setName,
  showSender,
  slugOf,
} from "./identity";

const FILES = [
  "app/catalog.ts",
  "app/i18n/locale.ts",
  "app/i18n/messages.server.ts",
  "app/i18n/locales",
  "package.json",
  "package-lock.json",
  "compose.yaml",
  "docs/docker.md",
  ".env.example",
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "init-"));
  for (const file of FILES) cpSync(file, path.join(folder, file), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (file: string) => readFileSync(path.join(folder, file), "utf8");

test.each([
  ["Scribo", "scribo"],
  ["Größe & Co.", "gro-e-co"],
  ["Café Olé", "cafe-ole"],
  ["文字", "my-product"],
])("%s is %s to npm and registries", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test("a name stands in the catalog, for npm in package and lockfile, and on the container image", () => {
  const { name: before } = JSON.parse(read("package.json"));
  setName(folder, "Bilder $& Wörter");
  expect(read("app/catalog.ts")).toContain('PRODUCT_NAME = "Bilder $& Wörter";');
  const lock = JSON.parse(read("package-lock.json"));
  const names = [JSON.parse(read("package.json")).name, lock.name, lock.packages[""].name];
  expect(names).toEqual(Array(3).fill("bilder-worter"));
  for (const file of ["compose.yaml", "docs/docker.md"]) {
    expect(read(file)).toContain("bilder-worter");
    expect(read(file)).not.toContain(before);
  }
});

test("a currency is the catalog's, a sender is shown in .env.example", () => {
  setCurrency(folder, "chf");
  setImagesInDevelopment(folder, !IMAGES_IN_DEVELOPMENT);
  showSender(folder, "Zweiter Name", "hallo@zweiter.example");
  expect(read("app/catalog.ts")).toContain('CURRENCY = "chf";');
  expect(read("app/catalog.ts")).toContain(
    `IMAGES_IN_DEVELOPMENT: boolean = ${!IMAGES_IN_DEVELOPMENT};`,
  );
  expect(read(".env.example")).toMatch(
    /^# Mail, like .* and Zweiter Name <hallo@zweiter\.example>$/m,
  );
});

test("a language that goes leaves no name of it", () => {
  keepLocales(folder, [API_LOCALE]);
  for (const locale of LOCALES.filter((one) => one !== API_LOCALE)) {
    expect(() => read(`app/i18n/locales/${locale}.json`)).toThrow();
    for (const file of ["app/i18n/locale.ts", "app/i18n/messages.server.ts"])
      expect(read(file)).not.toMatch(new RegExp(`\\b${locale}\\b`));
  }
  expect(read("app/i18n/messages.server.ts")).toContain("{ en }");
});

test("a place that has moved is named instead of left out", () => {
  setCurrency(folder, "chf");
  expect(() => setCurrency(folder, "chf")).toThrow("app/catalog.ts doesn't have");
});
