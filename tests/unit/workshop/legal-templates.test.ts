import { expect, test } from "vitest";
import { LOCALES } from "~/i18n/locale";
import {
  isLegalTemplate,
  LEGAL_PAGES,
  legalTextHash,
  listLegalTemplates,
} from "~/server/site/legal-texts.server";

test("the starter's own legal texts are known as templates: add what is missing to the list", () => {
  const missing = LOCALES.flatMap((locale) =>
    LEGAL_PAGES.filter((page) => !isLegalTemplate(page, locale)).map((page) => [
      `${locale}/${page}`,
      legalTextHash(page, locale),
    ]),
  );
  expect(missing).toEqual([]);
  expect(listLegalTemplates()).toHaveLength(LOCALES.length * LEGAL_PAGES.length);
});
