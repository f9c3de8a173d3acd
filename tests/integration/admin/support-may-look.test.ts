import { beforeAll, expect, test } from "vitest";
import { connectDb } from "~/db.server";
import { getSupportUntil, SUPPORT_DAYS } from "~/models/accounts/support-access.server";
import { ADMINS, createAdmin, idOf } from "../../helpers/admins";
import { type Client, signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { withImageServer } from "../../helpers/with-image-server";

const app = withImageServer({ ADMIN_EMAILS: ADMINS[0] });
const PROMPT = "a lighthouse that nobody else may read of";
let admin: Client;

beforeAll(async () => {
  admin = await createAdmin(app);
});

async function createPerson() {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, 50);
  const made = await person.json("POST", "/api/generate-image", { prompt: PROMPT });
  expect(made.status).toBe(200);
  const id = await idOf(app, person.email);
  return {
    person,
    id,
    set: (intent: string) => person.post("/en/account/data", { intent }),
    async look() {
      const response = await admin.fetch(`/en/admin/users/${id}/content`);
      return { status: response.status, html: await response.text() };
    },
    actions: async () =>
      (
        await app.sql<{ action: string }>(
          "SELECT action FROM audit_log WHERE subject_user_id = $1 ORDER BY id",
          [id],
        )
      ).map(({ action }) => action),
  };
}

test("prompts are shown only while the person allows it, and on, off and each look leave a row", async () => {
  const { person, id, set, look, actions } = await createPerson();
  expect((await look()).status).toBe(404);
  expect(await actions()).toEqual([]);

  expect((await set("allow")).status).toBe(303);
  expect((await set("allow")).status).toBe(303);
  expect(await (await admin.fetch(`/en/admin/users/${id}`)).text()).toContain(
    `/en/admin/users/${id}/content`,
  );
  const seen = await look();
  expect(seen.status).toBe(200);
  expect(seen.html).toContain(PROMPT);
  await look();

  expect((await set("refuse")).status).toBe(303);
  await set("refuse");
  expect((await look()).status).toBe(404);
  const page = await (await admin.fetch(`/en/admin/users/${id}`)).text();
  expect(page).not.toContain(`/en/admin/users/${id}/content`);
  expect(page).not.toContain(PROMPT);
  expect(await actions()).toEqual([
    "support_allowed",
    "user_viewed",
    ...["content_viewed", "content_viewed"],
    "support_refused",
    "user_viewed",
  ]);
  // Their own page says so, and their own rows keep no network.
  const own = await (await person.fetch("/en/account/security")).text();
  expect(own).toContain("Prompts and their results were looked at");
  expect(
    await app.sql("SELECT FROM audit_log WHERE actor = $1 AND network IS NOT NULL", [id]),
  ).toEqual([]);
});

test("it ends by itself after seven days, and stands in the export until then", async () => {
  const { person, id, set, look } = await createPerson();
  await set("allow");
  const left = () =>
    app.sql<{ seconds: number }>(
      "SELECT extract(epoch FROM support_until - now())::float8 AS seconds FROM users WHERE id = $1",
      [id],
    );
  const [given = { seconds: 0 }] = await left();
  expect(Math.abs(given.seconds - SUPPORT_DAYS * 24 * 60 * 60)).toBeLessThan(60);
  // The time passes.
  const age = (seconds: number) =>
    app.sql(
      `UPDATE users SET support_until = now() + make_interval(days => $2) - make_interval(secs => $3) WHERE id = $1`,
      [id, SUPPORT_DAYS, seconds],
    );
  const days = SUPPORT_DAYS * 24 * 60 * 60;
  await age(days - 60);
  expect((await look()).status).toBe(200);
  const file = await (await person.fetch("/en/account/export")).text();
  expect(JSON.parse(file).profile.supportUntil).toMatch(/^\d{4}-/);
  await age(days);
  expect((await look()).status).toBe(404);
  const db = connectDb(app.databaseUrl);
  expect(await getSupportUntil(id, db)).toBeNull();
  await db.$disconnect();
});

test("who deletes the account takes the permission with them", async () => {
  const { person, id, set, look } = await createPerson();
  await set("allow");
  const deleted = await person.post("/en/account/delete", {
    currentPassword: "correct horse battery",
  });
  expect(deleted.status).toBe(303);
  expect(await app.sql("SELECT support_until FROM users WHERE id = $1", [id])).toEqual([
    { support_until: null },
  ]);
  expect((await look()).status).toBe(404);
});

test("nobody else is let in, and no other word switches it", async () => {
  const { id, set, person } = await createPerson();
  await set("allow");
  for (const client of [person, await signUp(app.url)])
    expect((await client.fetch(`/en/admin/users/${id}/content`)).status).toBe(404);
  expect((await set("always")).status).toBe(400);
});
