import { expect, test } from "vitest";
import { securityTxt } from "~/server/site/security-txt.server";

const SITE = { contact: "mailto:security@shop.test", siteUrl: new URL("https://shop.test") };
const at = (time: string) => securityTxt({ ...SITE, now: new Date(time) });
const expiryOf = (text: string) => new Date(/^Expires: (.+)$/m.exec(text)?.[1] ?? "");

test("security.txt is the same all day in UTC and changes the next day", () => {
  expect(at("2026-11-21T00:00:00Z")).toBe(at("2026-11-21T23:59:59.999Z"));
  expect(at("2026-11-22T00:00:00Z")).not.toBe(at("2026-11-21T23:59:59.999Z"));
});

test.each(["2026-01-31T12:00:00Z", "2026-07-31T23:59:59Z", "2026-08-31T00:00:00Z"])(
  "a copy of %s is valid for six months and less than a year",
  (time) => {
    const expires = expiryOf(at(time));
    const [sixMonths, aYear] = [new Date(time), new Date(time)];
    sixMonths.setUTCMonth(sixMonths.getUTCMonth() + 6);
    aYear.setUTCFullYear(aYear.getUTCFullYear() + 1);
    expect(expires.getTime()).toBeGreaterThan(sixMonths.getTime());
    expect(expires.getTime()).toBeLessThan(aYear.getTime());
  },
);

test("without a contact there is no security.txt", () => {
  expect(() => securityTxt({ ...SITE, contact: null, now: new Date() })).toThrow(
    expect.objectContaining({ status: 404, code: "not_found" }),
  );
});
