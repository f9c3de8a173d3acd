import { beforeAll, expect, test } from "vitest";
import { ADMINS, createAdmin, giveAddress, idOf } from "../../helpers/admins";
import { type Client, createClient, signUp } from "../../helpers/client";
import { signUpWithTotp } from "../../helpers/factors";
import { listRoutes, methodsAt, pathTo } from "../../helpers/route-list";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer({ ADMIN_EMAILS: ADMINS.join(", ") });

const routes = listRoutes().filter(({ address }) => address.startsWith("/{locale}/admin"));
let userId: string;

/** Who is no admin, or not now. */
const OTHERS: Record<string, () => Promise<Client>> = {
  "a stranger": async () => createClient(app.url),
  "a user with a second factor": () => signUpWithTotp(app),
  "an admin without a second factor": async () =>
    giveAddress(app, await signUp(app.url), ADMINS[1]),
};

beforeAll(async () => {
  userId = await idOf(app, (await signUp(app.url)).email);
});

/** The status of each admin page for each of its methods. */
async function statusesFor(client: Client) {
  const statuses: Record<string, string> = {};
  for (const { address } of routes)
    for (const method of await methodsAt(app.url, address)) {
      const path = `${pathTo(address, { userId })}?do=disable`;
      const init =
        method === "POST" ? { method, body: new URLSearchParams({ do: "disable" }) } : {};
      const response = await client.fetch(path, init);
      const to = response.headers.get("location")?.split("?")[0] ?? "";
      statuses[`${method} ${address}`] = `${response.status} ${to}`.trim();
      // A file has no page to compare.
      if (response.status !== 404 || address.endsWith(".csv")) continue;
      const elsewhere = await client.fetch("/en/nowhere", init);
      expect(elsewhere.status).toBe(404);
      const texts = [await response.text(), await elsewhere.text()];
      const [here, there] = texts.map((html) => /<main[\s\S]*<\/main>/.exec(html)?.[0]);
      expect(here).toBe(there);
    }
  expect(Object.keys(statuses).length).toBeGreaterThanOrEqual(4);
  return statuses;
}

const isDisabled = async () =>
  (await app.sql("SELECT FROM users WHERE disabled_at IS NOT NULL")).length > 0;
const audited = () => app.sql<{ action: string }>("SELECT action FROM audit_log");

test.each(Object.keys(OTHERS))("for %s there is no admin page, and no action", async (name) => {
  const client = await OTHERS[name]?.();
  if (!client) throw new Error(name);
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
  expect(new Set(Object.values(old))).toEqual(new Set(["303 /en/account/confirm"]));
  expect([await isDisabled(), await audited()]).toEqual([false, []]);
  await prove(14.5);
  const page = await admin.fetch(`/en/admin/users/${userId}`);
  expect(page.status).toBe(200);
  expect(page.headers.get("cache-control")).toContain("no-store");
  expect(await audited()).toEqual([{ action: "user_viewed" }]);
  // An admin whose address leaves ADMIN_EMAILS, or is no longer verified, is out at once.
  await app.sql("UPDATE users SET email_verified_at = NULL WHERE email = $1", [admin.email]);
  expect((await admin.fetch("/en/admin")).status).toBe(404);
});
