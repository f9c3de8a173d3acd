import { beforeAll, expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { PLAN } from "../../fixtures/sold";
import { signUp } from "../../helpers/client";
import { expectSoundLedger } from "../../helpers/ledger";
import { monthsFromNow } from "../../helpers/subscriptions";
import { withImageServer } from "../../helpers/with-image-server";

const CRON_SECRET = "cron-secret-for-tests-only";
// Neither the server nor the database runs in UTC.
const app = withImageServer({ CRON_SECRET, TZ: "America/New_York" });

beforeAll(async () => {
  const [row] = await app.sql<{ name: string }>("SELECT current_database() AS name");
  await app.sql(`ALTER DATABASE "${row?.name}" SET timezone = 'Asia/Tokyo'`);
});

async function run() {
  const response = await fetch(`${app.url}/api/cron/subscription-credits`, {
    headers: { Authorization: `Bearer ${CRON_SECRET}` },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function subscriber(anchor: string, paidUntil: string, planKey: string = PLAN.planKey) {
  const person = await signUp(app.url);
  await app.sql(
    `WITH subscribed AS (
       INSERT INTO subscriptions (id, user_id, provider, provider_subscription_id, plan_key, period,
         status, grant_anchor_at, next_grant_at, paid_until, grant_period_id)
       SELECT id, id, 'creem', 'sub_' || id, $4, 'year', 'active', $2, $2, $3, id
       FROM users WHERE email = $1 RETURNING id
     )
     INSERT INTO subscription_periods (id, subscription_id, provider, starts_at, ends_at, plan_key, period)
     SELECT id, id, 'creem', $2, $3, $4, 'year' FROM subscribed`,
    [person.email, anchor, paidUntil, planKey],
  );
  return person;
}

const grantsOf = (email: string) =>
  app.sql<{ boundary: string; utc: string }>(
    `SELECT split_part(source, ':sub_' || u.id || ':', 2) AS boundary,
       to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS utc
     FROM credit_transactions t JOIN users u ON u.id = t.user_id
     WHERE email = $1 AND type = 'grant' ORDER BY t.id`,
    [email],
  );

test.each([
  ["2023-01-31T10:00:00Z", ["02-28", "03-31", "04-30", "05-31"], "2023"],
  ["2024-01-31T10:00:00Z", ["02-29", "03-31", "04-30", "05-31"], "2024"],
  // Late evening in New York, the next day in Tokyo.
  ["2023-01-31T01:00:00Z", ["02-28", "03-31", "04-30", "05-31"], "2023"],
])("from %s the boundaries are %j, wherever servers stand", async (anchor, days, year) => {
  const time = anchor.slice(11, 19);
  const { email } = await subscriber(anchor, `${year}-05-31T${time}Z`);
  expect(await run()).toEqual({
    status: 200,
    body: { grants: 4, subscriptions: 1, credits: 4 * PLAN.creditsPerMonth, remaining: 0 },
  });
  const ends = days.map((day) => `${year}-${day}T${time}Z`);
  const starts = [anchor, ...ends.slice(0, -1)].map((at) => at.replace("Z", ".000Z"));
  expect(await grantsOf(email)).toEqual(
    starts.map((boundary, at) => ({ boundary, utc: ends[at] })),
  );
});

test("nothing due is a success", async () => {
  expect(await run()).toEqual({
    status: 200,
    body: { grants: 0, subscriptions: 0, credits: 0, remaining: 0 },
  });
});

test("a failed grant is a 500 with the counts of the others, and the run is recorded", async () => {
  const good = await subscriber(monthsFromNow(0).toISOString(), monthsFromNow(1).toISOString());
  const bad = await subscriber(
    monthsFromNow(0).toISOString(),
    monthsFromNow(1).toISOString(),
    "discontinued",
  );
  expect(await run()).toMatchObject({
    status: 500,
    body: {
      code: "grants_failed",
      grants: 1,
      subscriptions: 1,
      credits: PLAN.creditsPerMonth,
      remaining: 1,
    },
  });
  expect((await good.json("GET", "/api/account/credits")).body).toMatchObject({
    balance: PLAN.creditsPerMonth,
  });
  const runs = await app.sql(
    "SELECT ok, counts FROM job_runs WHERE job = 'subscription-credits' ORDER BY started_at DESC LIMIT 1",
  );
  expect(runs).toEqual([{ ok: false, counts: expect.objectContaining({ grants: 1 }) }]);
  // An estimate tries the grant, too, and undoes it: it calls nobody. A spend that falls short does.
  const alarms = async () =>
    (await app.server.allLogs()).filter(({ msg }) => msg === "a subscription's grant failed")
      .length;
  const heard = await alarms();
  const input = { prompt: "a cat" };
  const estimate = await bad.json("POST", "/api/estimate", { action: "image", input });
  expect(estimate.body).toMatchObject({ allowed: false, reason: "insufficient_credits" });
  expect(await alarms()).toBe(heard);
  expect((await bad.json("POST", "/api/generate-image", input)).status).toBe(402);
  expect(await alarms()).toBe(heard + 1);
  await app.sql(
    `UPDATE subscriptions SET status = 'canceled' FROM users
     WHERE users.id = user_id AND email = $1`,
    [bad.email],
  );
});

test("a spend that lacks credits first gets overdue grants, without waiting for the daily run", async () => {
  const person = await subscriber(monthsFromNow(0).toISOString(), monthsFromNow(1).toISOString());
  const responses = await Promise.all(
    [1, 2, 3].map(() => person.json("POST", "/api/generate-image", { prompt: "a cat", n: 4 })),
  );
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await person.json("GET", "/api/account/credits")).body).toMatchObject({
    balance: PLAN.creditsPerMonth - 12 * CREDITS_PER_IMAGE,
  });
  expect((await run()).body).toMatchObject({ grants: 0 });
  await expectSoundLedger(app);
});

test("readyz says when the run last succeeded, warns after 26 hours, and serves all the same", async () => {
  const readiness = async () => {
    const response = await fetch(`${app.url}/readyz`, {
      headers: { Authorization: "Bearer cron-secret-for-tests-only" },
    });
    return [response.status, ((await response.json()) as { dailyGrants: object }).dailyGrants];
  };
  await run();
  // A probe's result is reused for a second.
  await expect
    .poll(readiness)
    .toEqual([200, { lastSuccessAt: expect.stringMatching(/Z$/), overdue: false }]);
  await app.sql(
    `UPDATE job_runs SET started_at = started_at - interval '27 hours',
       finished_at = finished_at - interval '27 hours'`,
  );
  await app.sql("UPDATE subscriptions SET created_at = created_at - interval '2 days'");
  await expect.poll(readiness).toMatchObject([200, { overdue: true }]);
  const publicResponse = await (await fetch(`${app.url}/readyz`)).json();
  expect(publicResponse).toEqual({ status: "ready", failing: ["dailyGrants"] });
  // If nobody was subscribed that long, no run was missed.
  await app.sql("UPDATE subscriptions SET created_at = created_at + interval '2 days'");
  await expect.poll(readiness).toMatchObject([200, { overdue: false }]);
});
