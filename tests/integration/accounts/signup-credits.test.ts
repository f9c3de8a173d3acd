import { expect, test } from "vitest";
import { createClient, signUp } from "../../helpers/client";
import { expectSoundLedger } from "../../helpers/ledger";
import { withMailServer } from "../../helpers/with-mail-server";

const app = withMailServer({ SIGNUP_CREDITS: "25", RATE_LIMIT_SCALE: "1000" });
const PASSWORD = "correct horse battery";

const creditsOf = async (email: string) =>
  (
    await app.sql<{ credits: number }>(
      `SELECT coalesce((SELECT balance FROM credit_accounts WHERE user_id = u.id), 0) AS credits
       FROM users u WHERE email = $1 AND email_verified_at IS NOT NULL`,
      [email],
    )
  )[0]?.credits;

const marks = () =>
  app.sql<{ address_hash: Buffer }>(
    "SELECT address_hash FROM claimed_signup_credits ORDER BY created_at",
  );

async function remove(person: Awaited<ReturnType<typeof signUp>>) {
  const response = await person.post("/en/account/delete", { currentPassword: PASSWORD });
  expect(response.headers.get("location")).toBe("/en/sign-in?done=deleted");
}

test("the mailbox of a deleted account gets no second sign-up credits, in any case of its letters", async () => {
  const first = await signUp(app.url);
  await first.post(await app.linkTo(first.email, 1), {});
  expect(await creditsOf(first.email)).toBe(25);
  await remove(first);

  const again = createClient(app.url);
  const email = first.email.toUpperCase();
  expect((await again.post("/en/sign-up", { email, password: PASSWORD })).status).toBe(303);
  await again.post(await app.linkTo(first.email, 2, "verify-email"), {});
  expect(await creditsOf(first.email)).toBe(0);
  await remove(Object.assign(again, { email: first.email }));
  expect(await marks()).toHaveLength(1);

  const other = await signUp(app.url);
  await other.post(await app.linkTo(other.email, 1), {});
  expect(await creditsOf(other.email)).toBe(25);
  await expectSoundLedger(app);
});

test("what is kept of the address is a keyed hash, and only where sign-up credits were granted", async () => {
  const before = (await marks()).length;
  const unverified = await signUp(app.url);
  await remove(unverified);
  expect(await marks()).toHaveLength(before);

  const verified = await signUp(app.url);
  await verified.post(await app.linkTo(verified.email, 1), {});
  await remove(verified);
  const kept = (await marks()).at(-1)?.address_hash;
  expect(kept).toHaveLength(32);
  const plain = await app.sql<{ hash: Buffer }>("SELECT sha256(convert_to($1, 'UTF8')) AS hash", [
    verified.email,
  ]);
  expect(kept).not.toEqual(plain[0]?.hash);
});
