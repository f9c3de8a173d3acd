import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { creditsFor } from "~/catalog";
import { enter, leaveFor, withBrowser } from "../helpers/browser";
import { createClient, PASSWORD } from "../helpers/client";
import { giveCredits, ledgerOf } from "../helpers/ledger";
import { inOneWay } from "../helpers/runs";
import { startTestServer } from "../helpers/test-server";
import { withTextServer } from "../helpers/with-text-server";

const app = withTextServer({}, { pieceMs: 5 });
const browser = withBrowser();

const PAGE = "/en/demo/text-generator";

/** Asks for a text as a new person with so many credits. Returns their email address. */
async function ask(page: Page, prompt: string, credits = 5): Promise<string> {
  const { email } = await enter(page, app.url);
  if (credits > 0) await giveCredits(app, email, credits);
  await page.goto(`${app.url}${PAGE}`);
  await page.getByLabel("What should we write?").fill(prompt);
  await page.getByRole("button", { name: "Write" }).click();
  return email;
}

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: write a text, read it, and delete it`, async () => {
    const page = await browser.open({ javaScript });
    const email = await ask(page, "A story [tokens:40]");
    await page.getByText("Done.").waitFor();
    expect(new URL(page.url()).searchParams.get("run")).not.toBeNull();
    const text = (await page.locator("[data-run-output]").textContent()) ?? "";
    expect(text.split(" ")).toHaveLength(40);
    expect(await ledgerOf(app, email)).toEqual([
      ["adjustment", 5],
      ["deduction", -creditsFor("text", 45)],
    ]);
    await page.reload();
    await page.getByText("Done.").waitFor();
    expect((await app.texts.calls()).completions).toBe(1);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("It’s deleted.").waitFor();
    expect(await page.getByRole("link", { name: "A story" }).count()).toBe(0);
  });
}

for (const javaScript of inOneWay(true)) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a text that can't be written says so, and costs nothing`, async () => {
    const page = await browser.open({ javaScript });
    const email = await ask(page, "A story [sandbox:500]");
    await page.getByText("It didn’t work. You weren’t charged.").waitFor();
    const net = (await ledgerOf(app, email)).reduce((sum, [, amount]) => sum + amount, 0);
    expect(net).toBe(5);
  });

  test(`${mode}: a person may leave, and the text is there when they come back`, async () => {
    const page = await browser.open({ javaScript });
    await ask(page, "A story [tokens:1500]");
    await page.getByText("You can leave this page").waitFor();
    const address = page.url();
    await leaveFor(page, `${app.url}/en/account`);
    await expect.poll(async () => (await app.texts.calls()).open).toBe(0);
    await page.goto(address);
    await page.getByText("Done.").waitFor();
    const text = (await page.locator("[data-run-output]").textContent()) ?? "";
    expect(text.split(" ")).toHaveLength(1500);
  });
}

for (const javaScript of inOneWay(false)) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: without credits the page says so, and keeps the prompt`, async () => {
    const page = await browser.open({ javaScript });
    await ask(page, "A story", 0);
    await page.getByText("You don’t have enough credits").waitFor();
    expect(await page.getByLabel("What should we write?").inputValue()).toBe("A story");
    expect((await app.texts.calls()).completions).toBe(0);
  });

  test(`${mode}: a visitor's prompt waits until there is an account, and until there are credits`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(`${app.url}${PAGE}`);
    const field = page.getByLabel("What should we write?");
    await field.fill("A story of a visitor [tokens:20]");
    await page.getByRole("button", { name: "Write" }).click();
    await page.getByText("We’ve kept your prompt.").waitFor();
    expect((await app.texts.calls()).completions).toBe(0);
    const email = `writer-${randomUUID()}@example.com`;
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await field.waitFor();
    expect(await field.inputValue()).toBe("A story of a visitor [tokens:20]");
    await page.getByRole("button", { name: "Write" }).click();
    await page.getByText("You don’t have enough credits").waitFor();
    await page.goto(`${app.url}${PAGE}`);
    expect(await field.inputValue()).toBe("A story of a visitor [tokens:20]");
    await giveCredits(app, email, 5);
    await page.getByRole("button", { name: "Write" }).click();
    await page.getByText("Done.").waitFor();
    await page.goto(`${app.url}${PAGE}`);
    expect(await field.inputValue()).toBe("");
  });
}

test("with JavaScript the text grows while it is written", async () => {
  const page = await browser.open({ javaScript: true });
  await ask(page, "A story [tokens:1200]");
  const output = page.locator("[data-run-output]");
  const length = async () => ((await output.textContent()) ?? "").length;
  await expect.poll(length).toBeGreaterThan(0);
  const first = await length();
  await expect.poll(length).toBeGreaterThan(first);
  await page.getByText("Done.").waitFor();
});

test("a text that is still being written isn't deleted, and its page says so", async () => {
  const page = await browser.open({ javaScript: false });
  await ask(page, "A story [tokens:1500]");
  await page.getByText("You can leave this page").waitFor();
  const runId = new URL(page.url()).searchParams.get("run") ?? "";
  // A page of the same text that was open before it was sent again.
  const reply = await page.request.post(`${app.url}${PAGE}`, {
    form: { delete: runId },
    headers: { Origin: app.url },
  });
  expect(await reply.text()).toContain("It’s still being written, so we didn’t delete it.");
  // The page refreshes itself.
  await page.getByText("Done.").waitFor({ timeout: 60_000 });
});

test("while texts are off, the page is a 404 and no link leads there", async () => {
  const off = await startTestServer({ DATABASE_URL: app.databaseUrl });
  try {
    expect((await createClient(off.url).fetch(PAGE)).status).toBe(404);
    expect(await (await createClient(off.url).fetch("/en")).text()).not.toContain(PAGE);
  } finally {
    await off.stop();
  }
});
