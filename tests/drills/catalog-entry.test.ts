import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { LOCALES } from "~/i18n/locale";
import { findCompiler } from "../../scripts/preflight/types-check";
import { LAST_PACK, TOP_PLAN } from "../fixtures/sold";
import { createClient } from "../helpers/client";
import { DEMO, withDevClone } from "../helpers/dev-clone";
import { buyAt, readBalance } from "../helpers/dev-payments";
import { runScript } from "../helpers/run-script";

const { folder, runDev } = withDevClone();

const NEW_PACK = '  { skuKey: "credits_huge", credits: 10_000, amount: 24_900 },\n';
const NEW_PLAN = `  {
    planKey: "team",
    nameKey: "plans.team",
    creditsPerMonth: 5000,
    amounts: { month: 9900, year: 99_000 },
  },
`;

function edit(file: string, change: (text: string) => string): void {
  const place = path.join(folder(), file);
  const before = readFileSync(place, "utf8");
  const after = change(before);
  expect(after, `${file} was changed`).not.toBe(before);
  writeFileSync(place, after);
}

const tsc = findCompiler(".") ?? "";
const run = (script: string, ...args: string[]) =>
  runScript(script, args, { NO_COLOR: "1" }, folder());
const checkTypes = async () => (await run(tsc, "--noEmit")).stdout;

test("a pack and a plan are one entry each in the catalog and the plan's name, and can be bought", async () => {
  edit("app/catalog.ts", (text) =>
    text
      .replace(new RegExp(`(skuKey: "${LAST_PACK.skuKey}".*\\n)`), `$1${NEW_PACK}`)
      .replace(
        new RegExp(`(planKey: "${TOP_PLAN.planKey}",[\\s\\S]*?\\n {2}\\},\\n)`),
        `$1${NEW_PLAN}`,
      ),
  );
  await run("scripts/generate-client.mjs");
  // The compiler names the missing text.
  expect(await checkTypes()).toMatch(/use-plan-name\.ts.*plans\.team/);
  for (const locale of LOCALES) {
    edit(`app/i18n/locales/${locale}.json`, (text) =>
      text.replace('"plans": {\n', '"plans": {\n    "team": "Team",\n'),
    );
  }
  expect(await checkTypes()).toBe("");
  const docs = await run("scripts/validate/docs.command.ts", "--write");
  expect(docs.stdout).toMatch(/ 0 problems/);
  expect(readFileSync(path.join(folder(), ".env.example"), "utf8")).toMatch(
    /^# PROVIDER_A_PRICE_TEAM_ANNUAL=\n(.*\n)*# PROVIDER_B_PRODUCT_CREDITS_HUGE=$/m,
  );

  // The tests follow the catalog: they name no number of items.
  const unit = await run("scripts/test.mjs", "--project", "unit", "--project", "dom");
  expect(unit.stdout, unit.stdout).toMatch(/Tests {2}\d+ passed/);
  expect(unit.code).toBe(0);

  const dev = await runDev();
  const client = createClient(dev.url);
  await client.post("/en/sign-in", DEMO);
  const pricing = await (await client.fetch("/en/pricing")).text();
  expect(pricing).toMatch(/Choose the Team[\s\S]*10,000 credits/);
  const before = await readBalance(client);
  await buyAt(client, "/api/payments/checkout", { skuKey: "credits_huge" });
  const plan = { planKey: "team", period: "month" };
  await buyAt(client, "/api/payments/subscription/checkout", plan);
  await expect.poll(() => readBalance(client)).toBe(before + 10_000 + 5000);
  dev.signal("SIGTERM");
  expect(await dev.exited).toBe(0);
}, 900_000);
