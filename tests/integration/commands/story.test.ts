import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { connectDb } from "~/db.server";
import { listFaults } from "~/models/credits/faults.server";
import { signUp } from "../../helpers/client";
import { seedAccount } from "../../helpers/story/seed-account";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

test("the account of the screenshots breaks no rule of the ledger and has credits for 72 images", async () => {
  const person = await signUp(app.url);
  await seedAccount(app.databaseUrl, { email: person.email, store: null });
  const [user] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [
    person.email,
  ]);
  const db = connectDb(app.databaseUrl);
  try {
    expect(await listFaults([user?.id ?? ""], db)).toEqual([]);
  } finally {
    await db.$disconnect();
  }
  const { body } = await person.json("GET", "/api/account/credits");
  expect(body.balance).toBe(72 * CREDITS_PER_IMAGE);
});
