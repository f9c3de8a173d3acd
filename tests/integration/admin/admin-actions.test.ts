import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { LOOKS } from "~/models/audit/audit-actions";
import {
  TYPED_TWICE_ABOVE,
  USER_ACTION_NAMES,
  USER_ACTIONS,
  type UserAction,
} from "~/server/admin/user-actions";
import { ADMIN_CASES, actAs, openAction, plantDelivery } from "../../helpers/admin-cases";
import { ADMINS, createAdmin, idOf } from "../../helpers/admins";
import { type Client, signUp } from "../../helpers/client";
import { expectSoundLedger, giveCredits } from "../../helpers/ledger";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("stripe", { ADMIN_EMAILS: ADMINS.join(","), WORKER: "off" });
let admin: Client;
let adminId: string;
let userId: string;

beforeAll(async () => {
  admin = await createAdmin(app);
  adminId = await idOf(app, ADMINS[0]);
  userId = await idOf(app, (await signUp(app.url)).email);
});

const reason = "a test of the admin pages";

interface Row {
  action: string;
  actor: string;
  reason: string | null;
  person: string | null;
  subject: string | null;
  before: object | null;
  after: object | null;
}

const listRows = () =>
  app.sql<Row>(
    `SELECT action, actor, reason, subject_user_id AS person, subject, before, after
     FROM audit_log WHERE action <> ALL ($1) ORDER BY id`,
    [LOOKS],
  );

const act = (name: UserAction, { target, ...fields }: Record<string, string> = {}) =>
  actAs({ admin, userId, name, fields, target });

/** Somebody nothing was done to yet, and an action on them that has something to do. */
async function prepare(name: UserAction) {
  const { plant, fields = {}, leaves } = ADMIN_CASES[name];
  const person = await idOf(app, (await signUp(app.url)).email);
  const target = (await plant?.({ app, userId: person })) ?? "";
  const expected = leaves.map(({ action, subject, before = null, after = null }) => ({
    ...{ action, actor: adminId, reason: fields.reason ?? null, before, after },
    // A kept return has no person yet.
    person: name === "drop_return" ? null : person,
    subject: subject?.(target) ?? null,
  }));
  return { asked: { admin, userId: person, name, fields, target }, expected };
}

/** Actions that are done again if they are asked for again, each time with a row. */
const REPEATED: UserAction[] = ["sign_out", "replay", "retry_email", "retry_job"];

test.each(USER_ACTION_NAMES)(
  "%s leaves its row once, with who did it, why, and what was before and after",
  async (name) => {
    const { asked, expected } = await prepare(name);
    const isDone = expected.length > 0 && !ADMIN_CASES[name].isSaid;
    const before = await listRows();
    const { reply, again } = await actAs(asked);
    expect((await listRows()).slice(before.length)).toEqual(expected);
    expect(reply.status).toBe(isDone ? 303 : 409);
    // Lines come a moment after the response.
    await expect
      .poll(() => app.server.logs)
      .toContainEqual(
        expect.objectContaining({
          ...{ event: "admin_action", action: name, admin: adminId, userId: asked.userId },
          outcome: isDone ? "success" : "failure",
        }),
      );
    await again();
    const times = REPEATED.includes(name) ? 2 : 1;
    expect((await listRows()).length - before.length).toBe(expected.length * times);
  },
);

test.each(USER_ACTION_NAMES)("%s by a double click is done once, or twice alike", async (name) => {
  const { asked, expected } = await prepare(name);
  const before = await listRows();
  const send = await openAction(asked);
  const replies = await Promise.all([send(), send()]);
  for (const { status } of replies) expect([303, 409]).toContain(status);
  const added = (await listRows()).slice(before.length);
  const known = expected.map(({ action }) => action);
  const isRepeated = REPEATED.includes(name) && added.length > known.length;
  expect(added.map(({ action }) => action.replace("repeated", "replayed"))).toEqual(
    isRepeated ? [...known, ...known] : known,
  );
  await expectSoundLedger(app);
});

/** Amounts about the one above which it is typed twice, and what may be typed then. */
const TYPED = [TYPED_TWICE_ABOVE, TYPED_TWICE_ABOVE + 1, 50 * TYPED_TWICE_ABOVE].flatMap((most) =>
  [most, -most].flatMap((amount) =>
    ["", "0", String(-amount), String(amount + 1), String(amount)].map((amountAgain) => ({
      amount,
      amountAgain,
    })),
  ),
);

test.each(TYPED)("$amount and again $amountAgain is adjusted or refused", async (typed) => {
  const { amount, amountAgain } = typed;
  const isRefused = Math.abs(amount) > TYPED_TWICE_ABOVE && amountAgain !== String(amount);
  const person = await idOf(app, (await signUp(app.url)).email);
  const fields = { amount: String(amount), amountAgain, reason };
  const before = await listRows();
  const { reply } = await actAs({ admin, userId: person, name: "adjust", fields });
  // Nobody has what a negative amount takes.
  expect(reply.status).toBe(isRefused ? 400 : amount > 0 ? 303 : 409);
  const isDone = !isRefused && amount > 0;
  expect((await listRows()).length - before.length).toBe(isDone ? 1 : 0);
});

test("an action that fails leaves no row that says it happened", async () => {
  const before = await listRows();
  const broken = await plantDelivery({ app, userId }, "not JSON at all");
  const replies = [
    await act("replay", { target: broken }),
    await act("adjust", { amount: "-999999", amountAgain: "-999999", reason }),
    await act("revoke_key", { target: randomUUID(), reason }),
    await act("adjust", { amount: String(TYPED_TWICE_ABOVE + 1), reason }),
    await act("disable"),
  ];
  expect(replies.map(({ reply }) => reply.status)).toEqual([409, 409, 409, 400, 400]);
  expect(await listRows()).toEqual(before);
});

test("a replay's row says if it is a repetition", async () => {
  const before = await listRows();
  const { again } = await act("replay", { target: await plantDelivery({ app, userId }) });
  await again();
  expect((await listRows()).slice(before.length)).toMatchObject([
    { action: "delivery_replayed", person: userId },
    { action: "delivery_repeated", person: userId },
  ]);
});

test("a delivery that an attempt holds is left to it", async () => {
  const target = await plantDelivery({ app, userId });
  const read = () =>
    app.sql("SELECT status, attempts, lease_token, lease_until FROM webhook_inbox WHERE id = $1", [
      target,
    ]);
  await app.sql(
    `UPDATE webhook_inbox SET status = 'processing', lease_token = gen_random_uuid(),
       lease_until = now() + interval '1 minute' WHERE id = $1`,
    [target],
  );
  const [before, held] = [await listRows(), await read()];
  const { reply } = await act("replay", { target });
  expect(reply.status).toBe(409);
  expect([await listRows(), await read()]).toEqual([before, held]);
});

/** Actions on a thing that one person has. A kept return has no person yet. */
const TARGETED = USER_ACTION_NAMES.filter((name) => {
  const { target } = USER_ACTIONS[name];
  return target !== null && target !== "kept";
});

test.each(TARGETED)(
  "%s does nothing to a thing of another person than the page's",
  async (name) => {
    const { plant, fields = {}, leaves } = ADMIN_CASES[name];
    const target = (await plant?.({ app, userId })) ?? "";
    const other = await idOf(app, (await signUp(app.url)).email);
    const before = await listRows();
    const path = `/en/admin/users/${other}/act?do=${name}&target=${target}`;
    const form = { do: name, key: randomUUID(), target, ...fields };
    expect((await admin.post(path, form)).status).toBe(409);
    expect(await listRows()).toEqual(before);
    // On its person's page it is done.
    await act(name, { ...fields, target });
    expect((await listRows()).slice(before.length).map(({ action }) => action)).toEqual(
      leaves.map(({ action }) => action),
    );
  },
);

test("an admin who acts on their own account leaves their network, as on any other", async () => {
  const page = `/en/admin/users/${adminId}/act?do=adjust`;
  const form = { do: "adjust", key: randomUUID(), amount: "5", reason };
  expect((await admin.post(page, form)).status).toBe(303);
  const networks = await app.sql<{ network: string | null; action: string }>(
    "SELECT DISTINCT network FROM audit_log WHERE actor = $1",
    [adminId],
  );
  expect(networks).toEqual([{ network: "127.0.0.1" }]);
});

test("the page of an adjustment shows the balance that it changes, and no other page does", async () => {
  const { email } = await signUp(app.url);
  await giveCredits(app, email, 4_711);
  const page = `/en/admin/users/${await idOf(app, email)}/act?do=`;
  const showsBalance = async (name: string) =>
    (await (await admin.fetch(page + name)).text()).includes(">4711<");
  expect([await showsBalance("adjust"), await showsBalance("disable")]).toEqual([true, false]);
});

test("many looks hide nothing that was done", async () => {
  const id = await idOf(app, (await signUp(app.url)).email);
  await app.sql(
    "INSERT INTO audit_log (actor, action, subject_user_id) VALUES ('operator:test', 'user_enabled', $1)",
    [id],
  );
  await app.sql(
    `INSERT INTO audit_log (actor, action, subject_user_id)
     SELECT 'operator:test', action, $1 FROM unnest($2::text[]) AS look (action), generate_series(1, 50)`,
    [id, LOOKS],
  );
  const html = await (await admin.fetch(`/en/admin/users/${id}`)).text();
  expect(html).toContain("The account was enabled");
  expect(html).toContain("The account was looked at");
});
