import { afterAll, expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { connectDb, type Database } from "~/db.server";
import { listUsage, sumUsage } from "~/models/accounts/usage.server";
import { refundRun } from "~/models/metering/settle.server";
import { storeApiKey } from "../../helpers/api-keys";
import { setUpBillingEnv } from "../../helpers/billing";
import { type Person, signUp } from "../../helpers/client";
import { chargeImages, settleImages } from "../../helpers/image-runs";
import { giveCredits } from "../../helpers/ledger";
import { withTestServer } from "../../helpers/with-test-server";

setUpBillingEnv();
const app = withTestServer({ NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true" });
let connection: Database | undefined;
const db = () => {
  connection ??= connectDb(app.databaseUrl);
  return connection;
};
afterAll(() => connection?.$disconnect());

const IMAGE = { url: "https://images.test/1.png", persisted: false, fileId: null };
const rowsIn = (page: string) => page.match(/<td class="first">/g)?.length ?? 0;
const textOf = async (person: Person, path: string) => (await person.fetch(path)).text();

/** A person with so many settled runs of two images of which one came, then a failed, a refused and a running one. */
async function customer(settled: number) {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, (settled + 3) * 2 * CREDITS_PER_IMAGE);
  const [user] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [
    person.email,
  ]);
  const userId = user?.id ?? "";
  const charge = (prompt: string) => chargeImages(db(), userId, { prompt, n: 2, size: "square" });
  for (let count = 0; count < settled; count += 1)
    await settleImages(db(), await charge(`settled ${count}`), [IMAGE]);
  await refundRun({ runId: await charge("failed"), error: "generation_failed" }, db());
  await refundRun({ runId: await charge("refused"), error: "prompt_rejected" }, db());
  await charge("running");
  return { person, userId };
}

test("each run is on one page of the list, newest first, with its net cost and its result", async () => {
  const settled = 60;
  const { person, userId } = await customer(settled);
  const seen: { subject: string | null; credits: number; status: string }[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor; isFirst = false) {
    const page = await listUsage({ accountId: userId, action: "image", cursor }, db());
    seen.push(...page.runs);
    sizes.push(page.runs.length);
    cursor = page.nextCursor;
  }
  expect(sizes).toEqual([50, settled + 3 - 50]);
  expect(seen.slice(0, 4)).toMatchObject([
    { subject: "running", status: "reserved", units: 2, credits: 2 * CREDITS_PER_IMAGE },
    { subject: "refused", status: "refunded", units: 0, credits: 0 },
    { subject: "failed", status: "refunded", units: 0, credits: 0 },
    {
      subject: `settled ${settled - 1}`,
      status: "settled",
      units: 1,
      credits: CREDITS_PER_IMAGE,
    },
  ]);
  const top = await listUsage({ accountId: userId, action: null, cursor: "x" }, db());
  expect(top.runs[0]?.subject).toBe("running");

  const first = await textOf(person, "/en/account/usage");
  expect(rowsIn(first)).toBe(50);
  for (const text of ["In progress", "It broke the content rules", "It couldn’t be made", "Done"])
    expect(first).toContain(text);
  const older = first.match(/href="([^"]*cursor=[^"]*)"/)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(rowsIn(await textOf(person, older))).toBe(settled + 3 - 50);
});

test("sums by day and action count what was charged, and what is taken for a run that goes on", async () => {
  const { userId } = await customer(3);
  await app.sql(
    `UPDATE metered_runs SET created_at = created_at - interval '2 days'
     WHERE account_id = $1 AND status = 'settled'`,
    [userId],
  );
  const sums = await sumUsage({ accountId: userId, days: 30 }, db());
  expect(sums).toMatchObject([
    { action: "image", runs: 3, units: 0, credits: 2 * CREDITS_PER_IMAGE },
    { action: "image", runs: 3, units: 3, credits: 3 * CREDITS_PER_IMAGE },
  ]);
  expect(await sumUsage({ accountId: userId, days: 2 }, db())).toHaveLength(1);
});

test("the table to download and the export have each run, and nobody else's", async () => {
  const { person } = await customer(2);
  const { person: other } = await customer(1);
  const csv = (await textOf(person, "/en/account/usage.csv")).split("\r\n");
  expect(csv[0]).toBe("Time (UTC),Action,What,Result,Units,Credits,API key");
  expect(csv.slice(1, -1).map((line) => line.split(",").slice(1))).toEqual([
    ["Images", "settled 0", "Done", "1", String(CREDITS_PER_IMAGE), ""],
    ["Images", "settled 1", "Done", "1", String(CREDITS_PER_IMAGE), ""],
    ["Images", "failed", '"It couldn’t be made', ' so you weren’t charged"', "0", "0", ""],
    ["Images", "refused", '"It broke the content rules', ' so you weren’t charged"', "0", "0", ""],
    ["Images", "running", "In progress", "2", String(2 * CREDITS_PER_IMAGE), ""],
  ]);
  const { runs } = JSON.parse(await textOf(person, "/en/account/export"));
  expect(runs.map(({ subject }: { subject: string }) => subject)).toEqual([
    "settled 0",
    "settled 1",
    "failed",
    "refused",
    "running",
  ]);
  expect(rowsIn(await textOf(other, "/en/account/usage"))).toBe(4);
});

test("a run that came with an API key names it: on the page, in the table to download and in the export", async () => {
  const { person, userId } = await customer(1);
  await storeApiKey(app, person.email, { scopes: ["generate"], revokedAt: "now()" });
  await app.sql(
    `UPDATE metered_runs SET api_key_id = (SELECT id FROM api_keys WHERE account_id = $1)
     WHERE account_id = $1 AND status = 'settled'`,
    [userId],
  );
  const [key] = await app.sql<{ id: string }>("SELECT id FROM api_keys WHERE account_id = $1", [
    userId,
  ]);
  const page = await textOf(person, "/en/account/usage");
  expect(page.match(/with the key a program/g)).toHaveLength(1);
  const csv = (await textOf(person, "/en/account/usage.csv")).split("\r\n");
  expect(csv.filter((line) => line.endsWith(",a program"))).toHaveLength(1);
  const { runs } = JSON.parse(await textOf(person, "/en/account/export"));
  expect(runs).toMatchObject([
    { apiKeyId: key?.id, apiKeyName: "a program" },
    { apiKeyId: null },
    { apiKeyId: null },
    { apiKeyId: null },
  ]);
});

test("an account without a run is told what it will find here", async () => {
  const person = await signUp(app.url);
  const page = await textOf(person, "/en/account/usage");
  expect(page).toContain("Nothing used yet");
  expect(rowsIn(page)).toBe(0);
});
