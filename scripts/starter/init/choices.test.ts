import { expect, test } from "vitest";
import { CURRENCY, PRODUCT_NAME } from "~/catalog";
import { API_LOCALE, LOCALES } from "~/i18n/locale";
import { completeChoices, type Given } from "./choices";

test("what no option gives stays as it is where nobody is at the terminal", async () => {
  expect(await completeChoices({}, null)).toEqual({
    name: PRODUCT_NAME,
    sender: null,
    currency: CURRENCY,
    locales: [...LOCALES],
    images: true,
  });
});

test("only what no option gives is asked for, and an empty line keeps what is there", async () => {
  const asked: string[] = [];
  const choices = await completeChoices({ name: "Scribo", locales: "en" }, async (question) => {
    asked.push(question);
    return question.startsWith("Currency") ? " EUR " : "";
  });
  expect(asked.map((question) => question.split(" ")[0])).toEqual(["Address", "Currency", "Sell"]);
  expect(choices).toMatchObject({ name: "Scribo", currency: "eur", locales: ["en"], sender: null });
});

test.each<[Given, RegExp]>([
  [{ name: "!" }, /--name needs a letter/],
  [{ name: 'Shop "A"' }, /--name needs .* no quotation mark/],
  [{ sender: "somebody" }, /--sender 'somebody' is no email address/],
  [{ currency: "euro" }, /--currency 'euro' is no code of ISO 4217/],
  [{ locales: "en,xx" }, /--locales: 'xx' is none of en/],
  [{ images: "maybe" }, /--images is on or off/],
])("%o is refused with what is wrong", async (given, message) => {
  await expect(completeChoices(given, null)).rejects.toThrow(message);
});

test.skipIf(LOCALES.length < 2)("the language of the API has to stay", async () => {
  const given = { locales: LOCALES.filter((locale) => locale !== API_LOCALE).join(",") };
  await expect(completeChoices(given, null)).rejects.toThrow(/--locales has to keep en/);
});
