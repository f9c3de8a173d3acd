import { expect, test } from "vitest";
import { createClient, signUp } from "../../helpers/client";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();
const PASSWORD = "correct horse battery";
let count = 0;
const newEmail = () => `account-${count++}@example.com`;

test("signing up returns 303 with a session cookie that is HttpOnly and SameSite=Lax", async () => {
  const response = await createClient(app.url).post("/en/sign-up", {
    email: newEmail(),
    password: PASSWORD,
  });
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe("/en/account");
  const [cookie] = response.headers.getSetCookie();
  expect(cookie).toMatch(/^session=.*; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
});

test("only a hash of the session's token and of the password is stored", async () => {
  const client = createClient(app.url);
  const email = newEmail();
  const response = await client.post("/en/sign-up", { email, password: PASSWORD });
  const value = decodeURIComponent(response.headers.get("set-cookie") ?? "").match(
    /session=([^.]*)/,
  );
  const token = JSON.parse(Buffer.from(value?.[1] ?? "", "base64").toString()) as string;
  const [row] = await app.sql<{ hash: Buffer; password: string }>(
    `SELECT token_hash AS hash, password_hash AS password
     FROM sessions JOIN users ON users.id = user_id WHERE email = $1`,
    [email],
  );
  expect(token).toHaveLength(43);
  expect(row?.hash).toHaveLength(32);
  expect(row?.hash.toString("base64url")).not.toBe(token);
  expect(row?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test.each([
  ["no fields", {}, ["Fill in this field."]],
  ["a short password", { email: "x@example.com", password: "11 letters." }, ["at least 12"]],
  ["a bad address", { email: "x@", password: PASSWORD }, ["Enter an email address"]],
  ["a long password", { email: "x@example.com", password: "x".repeat(201) }, ["at most 200"]],
])("signing up with %s is a 400 and says so on the page", async (_name, fields, texts) => {
  const response = await createClient(app.url).post(
    "/en/sign-up",
    fields as Record<string, string>,
  );
  const page = await response.text();
  expect(response.status).toBe(400);
  for (const text of texts) expect(page).toContain(text);
  expect(response.headers.get("set-cookie")).toBeNull();
});

test("an address already taken is a 400, in any spelling of its letters", async () => {
  const email = newEmail();
  await createClient(app.url).post("/en/sign-up", { email, password: PASSWORD });
  const again = await createClient(app.url).post("/en/sign-up", {
    email: ` ${email.toUpperCase()} `,
    password: "another good password",
  });
  expect(again.status).toBe(400);
  expect(await again.text()).toContain("There’s already an account with this email address");
});

test("ten sign-ups at once with one address make one account", async () => {
  const email = newEmail();
  const responses = await Promise.all(
    Array.from({ length: 10 }, () =>
      createClient(app.url).post("/en/sign-up", { email, password: PASSWORD }),
    ),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(400)]);
});

test("signing in works, rotates the session, and ends the one before", async () => {
  const { email, ...first } = await signUp(app.url);
  const before = await app.sql("SELECT id FROM sessions");
  const response = await first.post("/en/sign-in", { email, password: PASSWORD });
  expect(response.status).toBe(303);
  const after = await app.sql("SELECT id FROM sessions");
  expect(after).toHaveLength(before.length);
  expect(after).not.toEqual(before);
  expect((await first.json("GET", "/api/storage/files")).status).toBe(200);
});

test("a wrong password and an unknown address get the same response", async () => {
  const { email } = await signUp(app.url);
  const wrong = await createClient(app.url).post("/en/sign-in", {
    email,
    password: "wrong password",
  });
  const unknown = await createClient(app.url).post("/en/sign-in", {
    email: newEmail(),
    password: "wrong password",
  });
  const strip = async (response: Response) =>
    (await response.text()).replace(/[\w.-]+@example\.com|nonce="[^"]*"|nonce-[^']*/g, "");
  expect([wrong.status, unknown.status]).toEqual([400, 400]);
  const [a, b] = [await strip(wrong), await strip(unknown)];
  expect(a).toContain("The email address or the password is wrong.");
  expect(a).toBe(b);
});

test("signing out ends the session in the database and removes the cookie", async () => {
  const client = await signUp(app.url);
  expect((await client.fetch("/en/files")).status).toBe(200);
  const response = await client.post("/en/sign-out", {});
  expect(response.status).toBe(303);
  expect(response.headers.get("set-cookie")).toContain("Max-Age=0");
  const gone = await client.fetch("/en/files");
  expect(gone.headers.get("location")).toBe("/en/sign-in?redirectTo=%2Fen%2Ffiles");
});

test("a copied cookie is invalid after signing out", async () => {
  const email = newEmail();
  const signedUp = await createClient(app.url).post("/en/sign-up", { email, password: PASSWORD });
  const Cookie = signedUp.headers.get("set-cookie")?.split(";")[0] ?? "";
  const use = () => fetch(`${app.url}/api/storage/files`, { headers: { Cookie } });
  expect((await use()).status).toBe(200);
  await fetch(`${app.url}/en/sign-out`, {
    method: "POST",
    headers: { Cookie },
    redirect: "manual",
  });
  expect((await use()).status).toBe(401);
});

test("a session expires", async () => {
  const { email, ...client } = await signUp(app.url);
  await app.sql(
    `UPDATE sessions SET expires_at = now() - interval '1 second'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [email],
  );
  expect((await client.json("GET", "/api/storage/files")).status).toBe(401);
});

test("a cookie that we didn't sign starts no session", async () => {
  const response = await fetch(`${app.url}/api/storage/files`, {
    headers: { Cookie: "session=ImQzN0tzbExKa2RBZEVUOTZZZ0RqZHBfOVE5bEh5X3hHSk1zS3dCanAwY2ci.xxx" },
  });
  expect(response.status).toBe(401);
});

test.each([
  ["/en/files?cursor=x", "/en/files?cursor=x"],
  ["//evil.example", "/en/account"],
  ["/\\evil.example", "/en/account"],
  ["https://evil.example/", "/en/account"],
])("after signing in with redirectTo %s one lands on %s", async (redirectTo, location) => {
  const { email } = await signUp(app.url);
  const response = await createClient(app.url).post("/en/sign-in", {
    email,
    password: PASSWORD,
    redirectTo,
  });
  expect(response.headers.get("location")).toBe(location);
});

test("a form body over 64 KiB is a 413, and one below is read", async () => {
  const post = (length: number) =>
    createClient(app.url).post("/en/sign-in", { email: "x".repeat(length) });
  expect((await post(64 * 1024)).status).toBe(413);
  expect((await post(64 * 1024 - "email=".length)).status).toBe(400);
});
