import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { PACK } from "../../fixtures/sold";
import { signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { runScript } from "../../helpers/run-script";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

test("the export has every row once, in the order of time, however many there are", async () => {
  const person = await signUp(app.url);
  await app.sql(
    `INSERT INTO files (user_id, key, filename, content_type, size, status, created_at)
     SELECT id, 'many-' || n, n || '.png', 'image/png', 1, 'confirmed', now() - interval '1 hour'
     FROM users, generate_series(1, 1000) n WHERE email = $1`,
    [person.email],
  );
  await app.sql(
    `INSERT INTO orders (user_id, provider, provider_checkout_id, sku_key, credits, amount, currency, status)
     SELECT id, 'stripe', 'cs_many_' || n, '${PACK.skuKey}', 100, 500, '${CURRENCY}', 'paid'
     FROM users, generate_series(1, 450) n WHERE email = $1`,
    [person.email],
  );
  for (let count = 0; count < 450; count++) await giveCredits(app, person.email, 1);
  const account = await (await person.fetch("/en/account/export")).json();
  const ids = (rows: { id: string }[]) => new Set(rows.map(({ id }) => id)).size;
  expect([account.files.length, ids(account.files)]).toEqual([1000, 1000]);
  expect([account.orders.length, ids(account.orders)]).toEqual([450, 450]);
  const { balance, transactions } = account.credits;
  expect([balance, transactions.length, ids(transactions)]).toEqual([450, 450, 450]);
  expect(transactions.at(-1).balanceAfter).toBe(balance);
});

test("the export has every repair of the account, and not the operator's name", async () => {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, 50);
  await app.sql(
    `UPDATE credit_accounts SET balance = 60
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [person.email],
  );
  const reason = "balance raised by SQL on 3 May";
  const { code } = await runScript(
    "scripts/ledger/ledger.command.ts",
    ["repair", person.email, "--apply", "--reason", reason],
    { DATABASE_URL: app.databaseUrl, USER: "operator-of-the-shop" },
  );
  expect(code).toBe(0);
  const text = await (await person.fetch("/en/account/export")).text();
  expect(JSON.parse(text).credits).toMatchObject({
    balance: 50,
    repairs: [{ field: "balance", before: "60", after: "50", transactionId: null, reason }],
  });
  const [repair] = await app.sql<{ operator: string }>(
    "SELECT operator FROM credit_repairs WHERE reason = $1",
    [reason],
  );
  expect(repair?.operator).toBeTruthy();
  expect(text).not.toContain(`"${repair?.operator}"`);
  expect(text).not.toContain('"operator"');
});
