import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createApiKey, type NewApiKey } from "~/models/accounts/api-keys.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { createUser, openLedger } from "../../helpers/credits";

// The form that makes a key, sent twice.
setUpBillingEnv({});
const ledger = openLedger();

type Wanted = Omit<NewApiKey, "userId" | "mode" | "formId">;

const WANTED: Wanted = {
  name: "a program",
  scopes: ["generate"],
  expiresInDays: 90,
  monthlyLimit: 100,
};

/** Another value of each field. */
const OTHERS: { [Field in keyof Wanted]: Wanted[Field][] } = {
  name: ["another program"],
  scopes: [["read"], ["generate", "read"]],
  expiresInDays: [30, null],
  monthlyLimit: [101, null],
};

async function send(first: Wanted, second: Wanted) {
  const userId = await createUser(ledger.db);
  const form = { userId, mode: "test", formId: randomUUID() } as const;
  const made = await createApiKey({ ...form, ...first }, ledger.db);
  const again = await createApiKey({ ...form, ...second }, ledger.db);
  expect(await ledger.db.apiKey.count({ where: { accountId: userId } })).toBe(1);
  return { made, again };
}

test("the same form sent again shows its key once more", async () => {
  for (const wanted of [WANTED, { ...WANTED, expiresInDays: null, monthlyLimit: null }]) {
    const { made, again } = await send(wanted, wanted);
    expect(made.status).toBe("created");
    expect(again).toEqual(made);
  }
});

test("a form with another value in any field shows no key that was made without it", async () => {
  const changes = Object.entries(OTHERS).flatMap(([field, values]) =>
    values.map((value) => ({ [field]: value })),
  );
  for (const change of changes) {
    for (const isChangedFirst of [false, true]) {
      const changed = { ...WANTED, ...change };
      const { again } = isChangedFirst ? await send(changed, WANTED) : await send(WANTED, changed);
      expect(again, JSON.stringify(change)).toEqual({ status: "repeated" });
    }
  }
});
