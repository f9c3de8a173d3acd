import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { signInByProvider } from "~/models/accounts/oauth-accounts.server";
import { listFaults } from "~/models/credits/faults.server";
import { spendCredits } from "~/models/credits/spends.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { createUserWith, openLedger } from "../../helpers/credits";

setUpBillingEnv({ SIGNUP_CREDITS: "10" });
const ledger = openLedger();

test("a first sign-in with sign-up credits and spends of the same user don't deadlock", async () => {
  const { db } = ledger;
  for (let round = 0; round < 10; round += 1) {
    const userId = await createUserWith(db, 100);
    const { email } = await db.user.findUniqueOrThrow({ where: { id: userId } });
    const identity = {
      provider: "google" as const,
      accountId: randomUUID(),
      verifiedEmail: email,
      name: null,
      label: email,
    };
    // In transactions, as the charge of a generation is: the account is held for a while.
    const spends = Array.from({ length: 6 }, (_, n) =>
      db.$transaction(async (transaction) => {
        await transaction.$queryRaw`
          SELECT 1 AS locked FROM credit_accounts WHERE user_id = ${userId}::uuid FOR UPDATE`;
        await transaction.$queryRaw`SELECT 1 AS slept FROM pg_sleep(0.01)`;
        return spendCredits(
          { userId, amount: 1, source: `generation:${userId}:${n}` },
          transaction,
        );
      }),
    );
    const signIn = signInByProvider({ identity, locale: "en" }, db);
    const [signedIn, ...spent] = await Promise.all([signIn, ...spends]);
    expect(signedIn).toEqual({ status: "claimed", userId });
    expect(spent.map(({ status }) => status)).toEqual(Array(6).fill("spent"));
    expect(await listFaults([userId], db)).toEqual([]);
  }
});
