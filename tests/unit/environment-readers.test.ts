import { expect, test } from "vitest";
import { findUnreadVariables, loadApp } from "../helpers/environment-readers";

const app = loadApp();

/** Stripe's hosted pages need none: it only tells whether both keys are of one mode. */
const UNREAD = ["NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY"];

test("every variable sets something that code outside app/env reads", { timeout: 120_000 }, () => {
  expect(findUnreadVariables(app)).toEqual(UNREAD);
});

test("a variable that only the configuration and the preflight know counts as unread", {
  timeout: 120_000,
}, () => {
  const without = (pattern: RegExp) =>
    findUnreadVariables(app, (file) => !pattern.test(file)).filter(
      (name) => !UNREAD.includes(name),
    );
  expect(without(/services\/email\//)).toContain("SMTP_URL");
  expect(without(/challenge|security-headers/)).toEqual(
    expect.arrayContaining(["NEXT_PUBLIC_TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"]),
  );
});
