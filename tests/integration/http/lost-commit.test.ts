import { beforeAll, expect, test } from "vitest";
import { ADMINS, createAdmin, idOf } from "../../helpers/admins";
import { type Client, signUp } from "../../helpers/client";
import { startCuttingProxy } from "../../helpers/cutting-proxy";
import { putObject, requestUpload } from "../../helpers/upload";
import { withTestServer } from "../../helpers/with-test-server";

let proxy: Awaited<ReturnType<typeof startCuttingProxy>>;
const app = withTestServer(async (databaseUrl) => {
  proxy = await startCuttingProxy(databaseUrl);
  return { DATABASE_URL: proxy.url, WORKER: "off", ADMIN_EMAILS: ADMINS[0] };
});
let admin: Client;

beforeAll(async () => {
  admin = await createAdmin(app);
  return () => proxy.close();
});

/** Loses the answer to the COMMIT of the transaction that holds a statement with this text. */
const loseCommitAfter = (after: string) => proxy.cut({ at: "COMMIT", after, how: "closed" });

/** The page that says so, with its one way on. */
async function expectUnknown(response: Response, look: string): Promise<void> {
  const html = await response.text();
  expect(proxy.isArmed()).toBe(false);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("5");
  expect(html).toContain("We don’t know if that worked");
  expect(html).toContain("it may have been done");
  expect(html).toMatch(new RegExp(`<a [^>]*href="${look}"[^>]*>Open the page<`));
  expect(html).not.toContain("Try again");
}

test("a form whose commit's answer was lost says that it may have been done, and where to look", async () => {
  const person = await signUp(app.url);
  loseCommitAfter("support_until");
  const response = await person.post("/en/account/data", { intent: "allow" });
  await expectUnknown(response, "/en/account/data");
  expect(await app.sql("SELECT FROM users WHERE support_until > now()")).toHaveLength(1);
});

test("an API route says outcome_unknown, and what was done is found by looking", async () => {
  const person = await signUp(app.url);
  const upload = await requestUpload(person);
  await putObject(upload);
  loseCommitAfter("thumbnails_due_at");
  const { fileId } = upload;
  const { status, body } = await person.json("POST", "/api/storage/confirm", { fileId });
  expect(proxy.isArmed()).toBe(false);
  expect([status, body]).toEqual([
    503,
    expect.objectContaining({
      ...{ type: "about:blank", status: 503, code: "outcome_unknown" },
      detail: expect.stringContaining("may have been done"),
    }),
  ]);
  const found = await person.json("GET", `/api/storage/files/${fileId}`);
  expect(found.status).toBe(200);
});

test("an admin's action leads to the person's page, whose audit log has it, and the same form does it once", async () => {
  const id = await idOf(app, (await signUp(app.url)).email);
  const path = `/en/admin/users/${id}/act?do=adjust`;
  const html = await (await admin.fetch(path)).text();
  const key = /name="key" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const form = { do: "adjust", key, amount: "50", reason: "a test" };
  loseCommitAfter("ledger_adjusted");
  await expectUnknown(await admin.post(path, form), `/en/admin/users/${id}`);
  expect(await (await admin.fetch(`/en/admin/users/${id}`)).text()).toContain("a test");
  expect((await admin.post(path, form)).status).toBe(303);
  expect(
    await app.sql("SELECT amount::int FROM credit_transactions WHERE user_id = $1", [id]),
  ).toEqual([{ amount: 50 }]);
});
