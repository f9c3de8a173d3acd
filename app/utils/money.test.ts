import { expect, test } from "vitest";
import { formatAmount, formatMoney, minorUnitDigits, toMinorUnits } from "~/utils/money";

test.each([
  [1900, "usd", "$19.00", "19.00 usd"],
  [0, "usd", "$0.00", "0.00 usd"],
  [5, "EUR", "€0.05", "0.05 EUR"],
  [500, "jpy", "¥500", "500 jpy"],
  [19000, "krw", "₩19,000", "19000 krw"],
  [5120, "kwd", "KWD 5.120", "5.120 kwd"],
  [7, "bhd", "BHD 0.007", "0.007 bhd"],
  // Stripe counts these in hundredths; Intl of some versions would divide by one.
  [3_000_000_000, "idr", "IDR 30,000,000.00", "30000000.00 idr"],
  [1045, "huf", "HUF 10.45", "10.45 huf"],
  // Stripe counts these in hundredths, and they have no smaller unit.
  [500, "isk", "ISK 5", "5.00 isk"],
  [500, "ugx", "UGX 5", "5.00 ugx"],
  [4010, "isk", "ISK 40.10", "40.10 isk"],
])("%i minor units of %s are %s", (amount, currency, shown, written) => {
  expect(formatMoney({ amount, currency }, "en").replaceAll("\u00a0", " ")).toBe(shown);
  expect(formatAmount({ amount, currency })).toBe(written);
});

test.each([
  [-5, "-0.05 usd"],
  [-1950, "-19.50 usd"],
])("%i cents are written as %s", (amount, written) => {
  expect(formatAmount({ amount, currency: "usd" })).toBe(written);
});

test("an amount is shown in the page's language", () => {
  const text = formatMoney({ amount: 123_456_789, currency: "eur" }, "es");
  expect(text.replaceAll("\u00a0", " ")).toBe("1.234.567,89 €");
});

test("the digits of a currency don't depend on its case", () => {
  expect(["JPY", "jpy", "KWD", "kwd", "Usd"].map(minorUnitDigits)).toEqual([0, 0, 3, 3, 2]);
});

test("a command writes the largest amount to the last digit", () => {
  expect(formatAmount({ amount: Number.MAX_SAFE_INTEGER, currency: "usd" })).toBe(
    "90071992547409.91 usd",
  );
});

test("an amount that a number cannot hold exactly is a fault, not a rounded amount", () => {
  expect(toMinorUnits(3_000_000_000n)).toBe(3_000_000_000);
  expect(() => toMinorUnits(2n ** 53n)).toThrow(RangeError);
});
