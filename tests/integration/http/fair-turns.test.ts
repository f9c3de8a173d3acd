import { expect, test } from "vitest";
import { createClient, signUp } from "../../helpers/client";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer({ TRUST_PROXY: "1" });

const FLOOD = 200;
const MOST = 300;
const PATH = "/api/account/credits";

test("one person's request does not wait until two hundred of another network are served", async () => {
  const [attacker, neighbour] = [await signUp(app.url), await signUp(app.url)];
  let served = 0;
  const flood = Array.from({ length: FLOOD }, async () => {
    const response = await attacker.fetch(PATH);
    await response.arrayBuffer();
    served += 1;
    return response.status;
  });
  // One of the flood was served, so the others wait already.
  await expect.poll(() => served, { interval: 1 }).toBeGreaterThan(0);
  const before = served;
  expect((await neighbour.fetch(PATH)).status).toBe(200);
  expect(served - before).toBeLessThan(FLOOD / 2);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));
});

test("a network may have 300 requests that run or wait; more are refused and told when to come again", async () => {
  const attacker = await signUp(app.url);
  const flood = await Promise.all(
    Array.from({ length: 3 * MOST }, () => attacker.fetch(PATH).then(readWhole)),
  );
  const refused = flood.filter(({ status }) => status === 429);
  expect(flood.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(MOST);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers, body } of refused) {
    expect(headers.get("Retry-After")).toBe("5");
    expect(headers.get("Content-Type")).toContain("application/problem+json");
    expect(JSON.parse(body)).toMatchObject({ status: 429, code: "rate_limited" });
  }
  expect((await createClient(app.url).fetch("/en/sign-in?x=1")).status).toBe(200);
});

async function readWhole(response: Response) {
  const { status, headers } = response;
  return { status, headers, body: await response.text() };
}
