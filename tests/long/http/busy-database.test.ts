import pg from "pg";
import { expect, test } from "vitest";
import { signUp } from "../../helpers/client";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

/** More than the pool's ten connections. */
const REQUESTS = 20;

/** Holds a table, so that whoever reads it keeps a connection of the pool. Returns what lets go of it. */
async function holdTable(table: string): Promise<() => Promise<void>> {
  const client = new pg.Client(app.databaseUrl);
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return () => client.end();
}

test.each([
  ["an API route", "/api/account/credits", "application/problem+json", '"code":"busy"'],
  ["a page", "/en/account/credits", "text/html", "Not available right now"],
])(
  "%s says that the server is busy if no connection comes free",
  async (_name, path, type, text) => {
    const visitors = await Promise.all(Array.from({ length: REQUESTS }, () => signUp(app.url)));
    const release = await holdTable("sessions");
    const responses = visitors.map((visitor) => visitor.fetch(path));
    const firsts = await Promise.any(
      responses.map(async (reply) => {
        const response = await reply;
        if (response.status === 200) throw new Error("read a table that is held");
        return response;
      }),
    );
    await release();
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(firsts.status).toBe(503);
    expect(firsts.headers.get("Retry-After")).toBe("5");
    expect(firsts.headers.get("Content-Type")).toContain(type);
    expect(await firsts.text()).toContain(text);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
  },
);
