import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { creditsFor } from "~/catalog";
import { type Client, signUp } from "../helpers/client";
import { expectSoundLedger, giveCredits, ledgerOf } from "../helpers/ledger";
import { startTestServer } from "../helpers/test-server";
import { withImageServer } from "../helpers/with-image-server";

const app = withImageServer();

const PAGE = "/en/demo/image-generator";
type Person = Client & { email: string };

const COST = creditsFor("image", 2);
const CREDITS = COST + 30;

async function personWithCredits(url = app.url): Promise<Person> {
  const person = await signUp(url);
  await giveCredits(app, person.email, CREDITS);
  return person;
}

const FORM_WAITS_MS = 2_000;

const slowBy = (delayMs: number) => app.images.order({ provider: "fal", fault: "slow", delayMs });

async function post(person: Person, formKey: string = randomUUID()): Promise<string> {
  const form = { prompt: "a cat", n: "2", size: "square", formKey };
  const response = await person.post(PAGE, form);
  expect(response.status).toBe(303);
  return response.headers.get("Location") ?? "";
}

const statusOf = async ({ email }: Person) => {
  const [row] = await app.sql<{ status: string }>(
    `SELECT status FROM metered_runs JOIN users ON users.id = account_id WHERE email = $1`,
    [email],
  );
  return row?.status;
};

test("a quick result is there when the form got its response", async () => {
  const person = await personWithCredits();
  const began = performance.now();
  const address = await post(person);
  // On a busy machine none is quick: then the form has waited.
  if ((await statusOf(person)) !== "settled")
    expect(performance.now() - began).toBeGreaterThan(FORM_WAITS_MS);
  await expect.poll(() => statusOf(person)).toBe("settled");
  const page = await (await person.fetch(address)).text();
  expect(page).toContain("Your 2 images are ready");
  expect(page).not.toContain("http-equiv");
});

test("a slow result isn't waited for, and comes although nobody is there", async () => {
  const person = await personWithCredits();
  await slowBy(10_000);
  const address = await post(person);
  expect(await statusOf(person)).toBe("reserved");
  const page = await (await person.fetch(address)).text();
  expect(page).toContain("Generating 2 images");
  expect(page).toMatch(/<noscript><meta http-equiv="refresh" content="3"/);
  // The plain address leads there, too.
  const back = await person.fetch(PAGE);
  expect([back.status, back.headers.get("Location")]).toEqual([302, address]);
  await expect.poll(() => statusOf(person)).toBe("settled");
  expect((await person.fetch(PAGE)).status).toBe(200);
  expect(await ledgerOf(app, person.email)).toEqual([
    ["adjustment", CREDITS],
    ["deduction", -COST],
  ]);
});

test("a form sent again while it runs leads to the same generation, and is charged once", async () => {
  const person = await personWithCredits();
  const formKey = randomUUID();
  await slowBy(10_000);
  const first = await post(person, formKey);
  expect(await post(person, formKey)).toBe(first);
  await expect.poll(() => statusOf(person)).toBe("settled");
  expect(await post(person, formKey)).toBe(first);
  expect(await ledgerOf(app, person.email)).toHaveLength(2);
});

test("a form sent five times at once is charged once", async () => {
  const person = await personWithCredits();
  const formKey = randomUUID();
  const addresses = await Promise.all(Array.from({ length: 5 }, () => post(person, formKey)));
  expect(new Set(addresses).size).toBe(1);
  expect(await ledgerOf(app, person.email)).toHaveLength(2);
});

test("a server that stops hands over what is still running: the page shows the images later", async () => {
  const stopping = await startTestServer({ DATABASE_URL: app.databaseUrl, ...app.imagesEnv });
  onTestFinished(() => void stopping.process.kill("SIGKILL"));
  const person = await personWithCredits();
  const form = { prompt: "a cat", n: "2", size: "square", formKey: randomUUID() };
  await slowBy(10_000);
  const response = await fetch(`${stopping.url}${PAGE}`, {
    method: "POST",
    headers: { Cookie: person.cookie() },
    body: new URLSearchParams(form),
    redirect: "manual",
  });
  expect(response.status).toBe(303);
  await stopping.stop();
  const address = response.headers.get("Location") ?? "";
  expect(await (await person.fetch(address)).text()).toContain("Generating 2 images");
  await expect.poll(() => statusOf(person), { timeout: 30_000 }).toBe("settled");
  expect(await (await person.fetch(address)).text()).toContain("Your 2 images are ready");
  expect(await ledgerOf(app, person.email)).toEqual([
    ["adjustment", CREDITS],
    ["deduction", -COST],
  ]);
  await expectSoundLedger(app);
});

test("a server that stops lets a call end that needs no longer and that nobody else could end", async () => {
  const stopping = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    ...app.imagesEnv,
    IMAGE_PROVIDER: "openai",
  });
  onTestFinished(() => void stopping.process.kill("SIGKILL"));
  const person = await personWithCredits(stopping.url);
  await app.images.order({ provider: "openai", fault: "slow", delayMs: 2_000 });
  await post(person);
  await stopping.stop();
  expect(await statusOf(person)).toBe("settled");
  expect(await ledgerOf(app, person.email)).toHaveLength(2);
});
