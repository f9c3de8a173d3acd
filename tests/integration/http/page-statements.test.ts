import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, signUp } from "../../helpers/client";
import { startStatementProxy } from "../../helpers/statement-proxy";
import { createTestDatabase } from "../../helpers/test-database";
import { startTestServer, type TestServer } from "../../helpers/test-server";

// A second lookup of the session, or a statement without a name, is a regression of speed that no
// other test sees.
let proxy: Awaited<ReturnType<typeof startStatementProxy>>;
let server: TestServer;
let person: Client;

beforeAll(async () => {
  proxy = await startStatementProxy(await createTestDatabase());
  server = await startTestServer({
    DATABASE_URL: proxy.url,
    // Background work has statements of its own.
    WORKER: "off",
    NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true",
    IMAGE_PROVIDER_1_KEY: "unused",
  });
  person = await signUp(server.url);
});
afterAll(async () => {
  await server.stop();
  proxy.close();
});

async function statementsOf(path: string, init?: RequestInit): Promise<string[]> {
  proxy.take();
  const response = await person.fetch(path, init);
  await response.text();
  // The server says now and then that it runs.
  const statements = proxy.take().filter((name) => name !== "announce_process");
  return [response.status.toString(), ...statements];
}

test.each([
  ["/en/account", ["get_holdings", "get_overview", "list_running_subscriptions"]],
  [
    "/en/account/credits",
    [
      "get_holdings",
      "list_balance_points",
      "list_held_lots",
      "list_movements_all",
      "list_running_subscriptions",
      "list_used_actions",
    ],
  ],
  ["/en/files", ["count_files", "list_file_page_all"]],
  [
    "/en/demo/image-generator",
    [
      "count_gallery",
      "find_running_generation",
      "get_funds",
      "get_image_access",
      "list_gallery",
      "list_prompts",
      "usual_seconds",
    ],
  ],
])("%s looks the session up once, then runs prepared statements at once", async (path, own) => {
  const [status, first, ...others] = await statementsOf(path);
  expect([status, first]).toEqual(["200", "session_user"]);
  expect(others.toSorted()).toEqual(own);
});

test("the JSON list of credits looks the session up once, and then reads the account in one statement", async () => {
  const [status, ...statements] = await statementsOf("/api/account/credits");
  expect(status).toBe("200");
  expect(statements).toEqual(["session_user", "consume_rate_limit", "account_view"]);
});

test("a page that an action renders again looks the session up anew, since the action may have ended it", async () => {
  const body = new URLSearchParams({ intent: "confirm", fileId: "none" });
  const [status, ...statements] = await statementsOf("/en/files", { method: "POST", body });
  expect(status).not.toBe("200");
  expect(statements.filter((name) => name === "session_user")).toHaveLength(2);
});

test("a session that ended is not remembered for the next request", async () => {
  const other = await signUp(server.url);
  const before = await other.fetch("/en/account");
  expect(before.status).toBe(200);
  const cookie = other.cookie();
  await other.post("/en/sign-out", {});
  const after = await fetch(`${server.url}/en/account`, {
    headers: { Cookie: cookie },
    redirect: "manual",
  });
  expect(after.status).toBe(302);
});
