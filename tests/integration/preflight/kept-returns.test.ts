import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { readConfiguration } from "../../../scripts/preflight/configuration";
import { checkDatabase } from "../../../scripts/preflight/database-checks";
import { REQUIRED } from "../../fixtures/preflight";
import { PACK, PLAN } from "../../fixtures/sold";
import { openSession } from "../../helpers/migrations";
import { createTestDatabase } from "../../helpers/test-database";

const USER = "00000000-0000-4000-8000-00000000000a";

/** Runs the statements on a migrated database, and returns what the preflight says of kept returns. */
async function checkReturns(statements: string[]) {
  const databaseUrl = await createTestDatabase();
  const session = await openSession(databaseUrl);
  for (const sql of statements) await session.query(sql);
  const checks = await checkDatabase(
    readConfiguration({ ...REQUIRED, DATABASE_URL: databaseUrl }),
    {
      migrationsFolder: "prisma/migrations",
      isSkipped: () => false,
    },
  );
  return checks.find(({ id }) => id === "payments.returns");
}

const keep = (payment: string, column: string, value: string) =>
  `INSERT INTO payment_returns (provider, kind, provider_return_id, provider_payment_id, state, amount, currency, ${column})
   VALUES ('stripe', 'refund', 're_${payment}', '${payment}', 'succeeded', 500, '${CURRENCY}', '${value}')`;

const OTHERS = [
  keep("pi_stranger", "provider_customer_id", "cus_stranger"),
  keep("pi_dropped", "sku_key", PACK.skuKey),
  "UPDATE payment_returns SET dropped_reason = 'a test' WHERE provider_payment_id = 'pi_dropped'",
];

test("refunds of strangers' payments, and dropped ones, pass", async () => {
  expect(await checkReturns(OTHERS)).toMatchObject({ status: "pass" });
});

test("refunds whose payment is unknown here are named, if they name a pack or a customer of this installation", async () => {
  const found = await checkReturns([
    ...OTHERS,
    `INSERT INTO users (id, email) VALUES ('${USER}', 'a@example.com')`,
    `INSERT INTO subscriptions (user_id, provider, provider_subscription_id, provider_customer_id, plan_key, period, status)
     VALUES ('${USER}', 'stripe', 'sub_1', 'cus_1', '${PLAN.planKey}', 'month', 'active')`,
    keep("pi_pack", "sku_key", PACK.skuKey),
    keep("pi_plan", "provider_customer_id", "cus_1"),
  ]);
  expect(found).toMatchObject({
    status: "warn",
    message: expect.stringContaining(
      "2 refunds or disputes are kept, whose payment or share of it nobody here knows: stripe pi_pack, stripe pi_plan",
    ),
  });
});
