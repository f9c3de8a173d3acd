import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import os from "node:os";
import path from "node:path";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "../serve-locally";
import { startMailbox } from "./mailbox-server";

const transport = createTransport({ streamTransport: true, buffer: true });
let directory: string;
let mailbox: RunningServer;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "mailbox-"));
  mailbox = await startMailbox({ port: 0, directory });
});
afterAll(async () => {
  await mailbox.stop();
  await rm(directory, { recursive: true });
});

async function catchMail(name: string, subject: string): Promise<void> {
  const { message } = await transport.sendMail({
    from: "a@example.com",
    to: "ana@example.com",
    subject,
    text: "Open https://example.com/a?b=c&d=e now",
    html: "<html><head></head><body><script>alert(1)</script><p>Hello</p></body></html>",
  });
  await writeFile(path.join(directory, `${name}.eml`), String(message));
}

const read = async (address: string) => {
  const response = await fetch(mailbox.url + address);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test("the list has the newest email first, and escapes what it shows", async () => {
  expect((await read("/")).text).toContain("No email was caught yet.");
  await catchMail("1790000000000-9", "First");
  await catchMail("1790000000000-10", "Second <b>");
  await catchMail("1790000000001-0", "Third");
  const { text } = await read("/");
  const order = ["Third", "Second &#60;b&#62;", "First"].map((subject) => text.indexOf(subject));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(Math.min(...order)).toBeGreaterThan(0);
});

test("an email's page links its addresses and frames its HTML, which runs no script", async () => {
  await catchMail("1790000000002-0", "Fourth");
  const page = await read("/mails/1790000000002-0");
  expect(page.text).toContain('<a href="https://example.com/a?b=c&#38;d=e">');
  expect(page.text).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
  const html = await read("/mails/1790000000002-0/html");
  expect(html.text).toContain("<p>Hello</p>");
  expect(html.headers.get("content-security-policy")).toContain("default-src 'none'");
});

test.each([
  "/mails/nothing",
  "/mails/1-2",
  "/mails/..%2F..%2Fpackage",
  "/mails/1790000000000-9.eml",
])("%s is a 404", async (address) => {
  expect((await read(address)).status).toBe(404);
});

test("another site's name for this machine gets nothing", async () => {
  const status = await new Promise((resolve, reject) => {
    request(mailbox.url, { headers: { Host: "evil.example" } }, ({ statusCode }) =>
      resolve(statusCode),
    )
      .on("error", reject)
      .end();
  });
  expect(status).toBe(421);
});
