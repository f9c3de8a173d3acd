import { expect, test } from "vitest";
import { type Client, PASSWORD, signUp } from "../../helpers/client";
import { passSessionTime } from "../../helpers/pass-session-time";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("stripe");
const BILLING = "/en/account/billing";

/** A person who pressed the portal's button too long after the last proof, and the page that asks. */
async function askedPerson() {
  const person = await signUp(app.url);
  await passSessionTime(app, { email: person.email, minutes: 11 });
  const refused = await person.post(BILLING, { intent: "portal" });
  const page = refused.headers.get("location") ?? "";
  const step = new URL(page, app.url).searchParams.get("step") ?? "";
  expect([refused.status, step]).toEqual([303, expect.stringMatching(/^[\w-]{43}$/)]);
  return { person, page, step };
}

const confirm = (client: Client, step: string, currentPassword = PASSWORD) =>
  client.post("/en/account/confirm", {
    currentPassword,
    step,
    redirectTo: BILLING,
    intent: "portal",
  });
const answerOf = ({ status, headers }: Response) => [status, headers.get("location")];

test("the right password has the browser send the form again, once; a wrong one doesn't", async () => {
  const { person, step } = await askedPerson();
  expect((await confirm(person, step, "a wrong password")).status).toBe(400);
  expect(answerOf(await confirm(person, step))).toEqual([307, BILLING]);
  expect(answerOf(await confirm(person, step))).toEqual([303, BILLING]);
});

test("the page shows the form's fields, and opening it changes nothing", async () => {
  const { person, page, step } = await askedPerson();
  for (const _ of [1, 2]) {
    const html = await (await person.fetch(page)).text();
    expect(html).toContain('<input type="hidden" name="intent" value="portal"/>');
  }
  expect(answerOf(await confirm(person, step))).toEqual([307, BILLING]);
});

test("a form belongs to the session that sent it: another person and another session of the same go back to the page", async () => {
  const { person, page, step } = await askedPerson();
  const stranger = await signUp(app.url);
  expect(await (await stranger.fetch(page)).text()).not.toContain('value="portal"');
  expect(answerOf(await confirm(stranger, step))).toEqual([303, BILLING]);
  const other = await signUp(app.url);
  await app.sql(
    `UPDATE sessions SET user_id = (SELECT id FROM users WHERE email = $1)
     WHERE user_id = (SELECT id FROM users WHERE email = $2)`,
    [person.email, other.email],
  );
  expect(answerOf(await confirm(other, step))).toEqual([303, BILLING]);
});

test("an invented token and a form of ten minutes ago send nothing again", async () => {
  const { person, step } = await askedPerson();
  expect(answerOf(await confirm(person, "x".repeat(43)))).toEqual([303, BILLING]);
  await app.sql("UPDATE auth_challenges SET expires_at = now() WHERE purpose = 'step_up'");
  expect(answerOf(await confirm(person, step))).toEqual([303, BILLING]);
});

test("who proved elsewhere who they are comes back to the page, which has the form's button", async () => {
  const { person, page } = await askedPerson();
  await passSessionTime(app, { email: person.email, minutes: -11 });
  const html = await (await person.fetch(page)).text();
  expect(html).toContain(`action="${BILLING}"`);
  expect(html).toContain('name="intent" value="portal"');
  expect(html).not.toContain('name="currentPassword"');
});
