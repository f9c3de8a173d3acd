import { expect, test } from "vitest";
import { createClient, signUp } from "../../helpers/client";
import { withMailServer } from "../../helpers/with-mail-server";

const app = withMailServer({ SIGNUP_CREDITS: "25" });

const open = (link: string) => fetch(app.url + link);

const stateOf = async (email: string) => {
  const [row] = await app.sql<{ verified: boolean; credits: number; rows: number }>(
    `SELECT email_verified_at IS NOT NULL AS verified,
       (SELECT count(*)::int FROM credit_transactions WHERE source = 'signup:' || u.id) AS rows,
       coalesce((SELECT balance FROM credit_accounts WHERE user_id = u.id), 0) AS credits
     FROM users u WHERE email = $1`,
    [email],
  );
  return row;
};

const UNVERIFIED = { verified: false, credits: 0, rows: 0 };
const VERIFIED = { verified: true, credits: 25, rows: 1 };

test("signing up sends a link that verifies the address and gives the sign-up credits once", async () => {
  const { email } = await signUp(app.url);
  const link = await app.linkTo(email, 1);
  expect(link).toMatch(/^\/en\/verify-email\?token=/);
  expect(await stateOf(email)).toEqual(UNVERIFIED);
  for (let time = 0; time < 3; time++) {
    const answer = await open(link);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("Your e-mail address is verified");
  }
  expect(await stateOf(email)).toEqual(VERIFIED);
});

test("twenty openings at once, of two links, give the credits once", async () => {
  const person = await signUp(app.url);
  const first = await app.linkTo(person.email, 1);
  await person.post("/en/account/profile", { intent: "verify" });
  const second = await app.linkTo(person.email, 2);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => open(n % 2 ? first : second)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await stateOf(person.email)).toEqual(VERIFIED);
});

test("a reset of the password verifies too, and the credits still come once", async () => {
  const { email } = await signUp(app.url);
  const verification = await app.linkTo(email, 1);
  await createClient(app.url).post("/en/forgot-password", { email });
  const reset = await app.linkTo(email, 2);
  const [a, b] = await Promise.all([
    open(verification),
    createClient(app.url).post(reset, { password: "another good password" }),
  ]);
  expect([a.status, b.status]).toEqual([200, 303]);
  expect(await stateOf(email)).toEqual(VERIFIED);
});

test("a day later the link is worthless", async () => {
  const { email } = await signUp(app.url);
  const link = await app.linkTo(email, 1);
  await app.sql(
    `UPDATE verification_tokens SET expires_at = now() - interval '1 second'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [email],
  );
  const answer = await open(link);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("This link does not work");
  expect(await stateOf(email)).toEqual(UNVERIFIED);
});

test("a link that resets a password verifies nothing by being opened here", async () => {
  const { email } = await signUp(app.url);
  await createClient(app.url).post("/en/forgot-password", { email });
  const reset = await app.linkTo(email, 2);
  expect((await open(reset.replace("reset-password", "verify-email"))).status).toBe(400);
  expect(await stateOf(email)).toEqual(UNVERIFIED);
});

test.each(["", "?token=", `?token=${"A".repeat(43)}`, "?token=%00%27", "?token=a&token=b"])(
  "/verify-email%s is a 400",
  async (query) => {
    expect((await open(`/en/verify-email${query}`)).status).toBe(400);
  },
);

test("an unverified address keeps nobody from working", async () => {
  const person = await signUp(app.url);
  const upload = await person.json("POST", "/api/storage/upload", {
    filename: "a.png",
    contentType: "image/png",
    contentLength: 3,
  });
  expect(upload.status).toBe(200);
});
