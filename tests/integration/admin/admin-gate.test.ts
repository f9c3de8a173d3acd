import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createKeyText } from "~/models/accounts/api-key-text.server";
import { ADMINS, createAdmin, giveAddress, idOf } from "../../helpers/admins";
import { type Client, createClient, signUp } from "../../helpers/client";
import { signUpWithTotp } from "../../helpers/factors";
import { listRoutes, pathTo } from "../../helpers/route-list";
import { withTestServer } from "../../helpers/with-test-server";

const UNVERIFIED = "unverified-admin@example.com";
const PASSKEY = "passkey-admin@example.com";

const app = withTestServer({ ADMIN_EMAILS: [...ADMINS, UNVERIFIED, PASSKEY].join(", ") });

const routes = listRoutes().filter(({ address }) => address.startsWith("/{locale}/admin"));
let userId: string;

/** Who is no admin, or not now. */
const OTHERS: Record<string, () => Promise<Client>> = {
  "a stranger": async () => createClient(app.url),
  // All that an admin has, but for the place in ADMIN_EMAILS.
  "a user with a verified address and a second factor": async () =>
    giveAddress(app, await signUpWithTotp(app), "somebody-else@example.com"),
  "an admin without a second factor": async () =>
    giveAddress(app, await signUp(app.url), ADMINS[1]),
  "an admin with a passkey and no authenticator app": async () => {
    const person = await giveAddress(app, await signUp(app.url), PASSKEY);
    await app.sql(
      `INSERT INTO passkeys (user_id, credential_id, public_key, backed_up, name)
       SELECT id, 'a-key', '\\x00', true, 'A key' FROM users WHERE email = $1`,
      [PASSKEY],
    );
    return person;
  },
  "an admin whose address is no longer verified": async () => {
    const person = await giveAddress(app, await signUpWithTotp(app), UNVERIFIED);
    await app.sql("UPDATE users SET email_verified_at = NULL WHERE email = $1", [UNVERIFIED]);
    return person;
  },
};

beforeAll(async () => {
  userId = await idOf(app, (await signUp(app.url)).email);
});

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** A request of each method to each admin page, and to its data. */
const requests = () =>
  routes.flatMap(({ address }) =>
    ["", ".data"].flatMap((data) =>
      METHODS.map((method) => {
        const path = `${pathTo(address, { userId })}${data}?do=disable`;
        const body = ["GET", "HEAD", "OPTIONS"].includes(method)
          ? null
          : // A whole form: one that is refused for a missing field shows nothing about who may send it.
            new URLSearchParams({ do: "disable", key: randomUUID(), reason: "a test" });
        return { name: `${method} ${address}${data}`, method, path, data, init: { method, body } };
      }),
    ),
  );

/** The parts of a response that a client can tell. */
async function told(response: Response) {
  const text = await response.text();
  return {
    status: response.status,
    allow: response.headers.get("allow"),
    page: /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? null,
  };
}

/** The status of each admin page, and where it leads. */
async function statusesFor(client: Client) {
  const statuses: Record<string, string> = {};
  for (const { name, path, data, method, init } of requests()) {
    // The form of an action and the pages take these; others are refused in front of everything.
    if (data || !["GET", "POST"].includes(method)) continue;
    const response = await client.fetch(path, init);
    const to = response.headers.get("location")?.split("?")[0] ?? "";
    statuses[name] = `${response.status} ${to}`.trim();
  }
  expect(Object.keys(statuses)).toHaveLength(2 * routes.length);
  return statuses;
}

const isDisabled = async () =>
  (await app.sql("SELECT FROM users WHERE disabled_at IS NOT NULL")).length > 0;
const audited = () => app.sql<{ action: string }>("SELECT action FROM audit_log");

test.each(Object.keys(OTHERS))("for %s there is no admin page, and no action", async (name) => {
  const client = await OTHERS[name]?.();
  if (!client) throw new Error(name);
  for (const { name, path, data, init } of requests()) {
    const isFile = path.includes(".csv");
    const here = await told(await client.fetch(path, init));
    const there = await told(await client.fetch(`/en/nowhere${data}`, init));
    // A file has no page to compare.
    const page = isFile ? here.page : there.page;
    expect([name, here]).toEqual([name, { ...there, page }]);
  }
  expect(new Set(Object.values(await statusesFor(client)))).toEqual(new Set(["404"]));
  expect([await isDisabled(), await audited()]).toEqual([false, []]);
});

test("an admin's proof of identity admits for 15 minutes, and no longer", async () => {
  const admin = await createAdmin(app);
  const prove = (minutes: number) =>
    app.sql(
      `UPDATE sessions SET reauthenticated_at = now() - make_interval(secs => $2::float8 * 60)
       WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [admin.email, minutes],
    );
  await prove(15);
  const old = await statusesFor(admin);
  // A key that somebody searched for stays in no further address.
  const key = createKeyText("live");
  for (const path of ["", "/figures", `/users/${userId}`]) {
    const { headers } = await admin.fetch(`/en/admin${path}?q=${encodeURIComponent(` ${key}`)}`);
    const to = headers.get("location") ?? "";
    expect([path, to.startsWith("/en/account/confirm"), to.includes(key)]).toEqual([
      path,
      true,
      false,
    ]);
  }
  // Pages without a form take no POST from anybody.
  expect(new Set(Object.values(old))).toEqual(new Set(["303 /en/account/confirm", "404"]));
  expect(
    Object.entries(old).filter(([name, to]) => name.startsWith("GET") && to === "404"),
  ).toEqual([]);
  expect([await isDisabled(), await audited()]).toEqual([false, []]);
  await prove(14.5);
  const page = await admin.fetch(`/en/admin/users/${userId}`);
  expect(page.status).toBe(200);
  expect(page.headers.get("cache-control")).toContain("no-store");
  expect(await audited()).toEqual([{ action: "user_viewed" }]);
});
