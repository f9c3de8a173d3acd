import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { type App, findUnreadVariables, loadApp } from "../helpers/environment-readers";

let app: App;
beforeAll(async () => {
  app = await loadApp();
}, 120_000);

/** Stripe's hosted pages need none: it only tells whether both keys are of one mode. */
const UNREAD = ["NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY"];
/** Migrations and backups read it without the service's configuration (scripts/lib/database-url.ts). */
const READ_BY_COMMANDS = ["DIRECT_DATABASE_URL"];

test("every variable sets something that code outside app/env reads", () => {
  expect(findUnreadVariables(app).sort()).toEqual([...READ_BY_COMMANDS, ...UNREAD]);
  const commands = readFileSync("scripts/lib/database-url.ts", "utf8");
  for (const name of READ_BY_COMMANDS) expect(commands).toContain(`"${name}"`);
});

test("a variable that only the configuration and the preflight know counts as unread", () => {
  const without = (pattern: RegExp) =>
    findUnreadVariables(app, (file) => !pattern.test(file)).filter(
      (name) => ![...UNREAD, ...READ_BY_COMMANDS].includes(name),
    );
  expect(without(/services\/emails\//)).toContain("SMTP_URL");
  expect(without(/challenge|security-headers/)).toContain("NEXT_PUBLIC_TURNSTILE_SITE_KEY");
});
