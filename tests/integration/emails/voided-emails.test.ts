import { expect, test } from "vitest";
import { queueSignInLink } from "~/models/accounts/account-emails.server";
import { disableAccount } from "~/models/accounts/status.server";
import { writeEmail } from "~/models/email-delivery/write-email.server";
import { claimDueEmail } from "~/models/emails/claims.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { createUser, openLedger } from "../../helpers/credits";
import { holdTransaction, untilWaiting } from "../../helpers/held-transaction";

setUpBillingEnv({ SMTP_URL: "smtp://localhost:25", EMAIL_FROM: "us@example.com" });
const ledger = openLedger();

test("a mail that is being sent while its link is voided brings no link", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const usable = { userId, usedAt: null, expiresAt: { gt: new Date() } };

  await queueSignInLink({ userId, redirectTo: null }, db);
  const claimed = await claimDueEmail(db);
  await disableAccount(userId, db);
  const written = claimed && (await writeEmail(claimed, db));
  expect(written).toEqual({ status: "obsolete", reason: "the link is void" });
  expect(await db.verificationToken.count({ where: usable })).toBe(0);

  // The change has removed the mail, but isn't committed yet.
  await queueSignInLink({ userId, redirectTo: null }, db);
  const again = await claimDueEmail(db);
  const held = await holdTransaction(
    db,
    (transaction) =>
      transaction.$executeRaw`DELETE FROM outbox_emails WHERE user_id = ${userId}::uuid`,
  );
  const writing = again && writeEmail(again, db);
  await untilWaiting(db);
  await held.commit();
  expect(await writing).toEqual({ status: "obsolete", reason: "the link is void" });
  expect(await db.verificationToken.count({ where: usable })).toBe(0);
});
