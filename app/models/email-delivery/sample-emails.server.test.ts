import { expect, test, vi } from "vitest";
import { LOCALES } from "~/i18n/locale";
import { sampleEmails } from "~/models/email-delivery/sample-emails.server";

vi.stubEnv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing");
vi.stubEnv("AUTH_SECRET", "a-secret-of-a-test-that-signs-nothing");
vi.stubEnv("NEXT_PUBLIC_SITE_URL", "https://shop.example");
vi.stubEnv("SUPPORT_EMAIL", "help@shop.example");

const SAMPLES = LOCALES.flatMap((locale) =>
  sampleEmails(locale).map((email) => ({ locale, ...email })),
);

test.each(SAMPLES)("$locale $name: the plain text has every address of the HTML", (email) => {
  const links = [...email.html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url);
  expect(links.length).toBeGreaterThan(0);
  for (const url of links)
    expect(email.text).toContain(url?.replaceAll("&amp;", "&").replace(/^mailto:/, ""));
});

test.each(SAMPLES)("$locale $name: says where somebody can be reached", ({ html, text }) => {
  expect(html).toContain('href="mailto:help@shop.example"');
  expect(text).toContain("help@shop.example");
});

test.each(SAMPLES)("$locale $name: has at most one button", ({ html }) => {
  expect(html.match(/class="button"/g)?.length ?? 0).toBeLessThanOrEqual(1);
});

test.each(SAMPLES)("$locale $name: loads nothing from anywhere", ({ html }) => {
  expect(html).not.toMatch(/<(img|link|script|iframe)\b|url\(|@import/);
});

test.each(SAMPLES)("$locale $name: the subject fits a phone's list of emails", ({ subject }) => {
  expect(subject.length).toBeLessThanOrEqual(70);
});

test.each(SAMPLES)(
  "$locale $name: the preview is followed by blanks, not by the page",
  ({ html }) => {
    const preview = html.match(/<div style="display:none[^>]*>([^<]*)<\/div>/)?.[1] ?? "";
    expect(preview.trim().length).toBeGreaterThan(10);
    expect(preview).toMatch(/(\u200c\u00a0){60}$/);
  },
);

test("the emails about an API key lead to its page", () => {
  for (const { locale, name, html, text } of SAMPLES) {
    const leads = html.includes(`https://shop.example/${locale}/account/api-keys"`);
    expect([name, leads]).toEqual([
      name,
      ["factor_changed-key", "monthly_limit-key"].includes(name),
    ]);
    expect(text.includes("/account/security")).toBe(
      ["factor_changed", "new_device"].includes(name),
    );
  }
});

test("emails that people can turn off link to the page for it, and no others do", () => {
  const optional = SAMPLES.filter(({ html }) => html.includes("/unsubscribe?"));
  expect(new Set(optional.map(({ name }) => name))).toEqual(
    new Set([
      "receipt",
      "receipt-plan",
      "receipt-upgrade",
      "subscription_ending",
      "subscription_ending-over",
      "credits_expiring",
      "low_balance",
      "monthly_limit",
      "monthly_limit-key",
    ]),
  );
});
