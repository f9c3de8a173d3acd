import { expect, test } from "vitest";
import { MAINTENANCE_TASKS } from "~/models/upkeep/maintenance-limits";
import { startTestServer } from "../../helpers/test-server";
import { withTestServer } from "../../helpers/with-test-server";

const SECRET = "cron-secret-for-tests-only";
const app = withTestServer({ CRON_SECRET: SECRET });

const PATHS = ["/api/cron/maintenance", "/api/cron/subscription-credits"];

const call = (headers: Record<string, string>, url = app.url, path = PATHS[0]) =>
  fetch(url + path, { headers });

test.each([
  {},
  { Authorization: "" },
  { Authorization: "Bearer" },
  { Authorization: `Bearer ${SECRET}x` },
  { Authorization: `Bearer ${SECRET.slice(0, -1)}` },
  { Authorization: `bearer ${SECRET}` },
  { Authorization: `Basic ${SECRET}` },
  { Authorization: SECRET },
] as Record<string, string>[])("with %j it is a 401", async (headers) => {
  for (const path of PATHS) {
    const response = await call(headers, app.url, path);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "unauthenticated" });
  }
});

test("with the secret it is a 200 with a count for each task", async () => {
  const response = await call({ Authorization: `Bearer ${SECRET}` });
  expect(response.status).toBe(200);
  const counts = (await response.json()) as Record<string, number>;
  expect(Object.keys(counts)).toEqual(MAINTENANCE_TASKS);
  expect(new Set(Object.values(counts))).toEqual(new Set([0]));
});

test("without a CRON_SECRET it is a 503, whatever is sent", async () => {
  const server = await startTestServer({ DATABASE_URL: app.databaseUrl });
  try {
    for (const path of PATHS) {
      const response = await call({ Authorization: "Bearer " }, server.url, path);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ code: "cron_disabled" });
    }
  } finally {
    await server.stop();
  }
});
