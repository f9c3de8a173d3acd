import { readdirSync, readlinkSync } from "node:fs";
import os from "node:os";
import { expect, test } from "vitest";
import { ROUTE_LIMITS } from "~/server/route-limits";
import { type Client, createClient, signUp } from "../../helpers/client";
import { FILE_PART, openUpload } from "../../helpers/raw-upload";
import { startTestServer } from "../../helpers/test-server";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

const MULTIPART = "multipart/form-data; boundary=x";

async function beginUpload(client: Client) {
  const upload = await openUpload(app.url, client, { length: 5_000_000 });
  await upload.send(FILE_PART);
  return upload.socket;
}

/** Counts the upload files that the server has open, as the kernel lists them. */
function temporaryFiles(): number {
  const folder = `/proc/${app.server.process.pid}/fd`;
  const targets = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`);
    } catch {
      // Closed since it was listed.
      return "";
    }
  });
  return targets.filter((target) => target.includes("/upload-")).length;
}

const uploadFolders = () => readdirSync(os.tmpdir()).filter((name) => name.startsWith("upload-"));

const isAlive = async () => (await fetch(`${app.url}/healthz`)).status === 200;

test("what is no form is no error of the server, at any address that takes a POST", async () => {
  const person = await signUp(app.url);
  const paths = Object.keys(ROUTE_LIMITS)
    .filter((route) => route.startsWith("POST "))
    .map((route) =>
      route
        .slice("POST ".length)
        .replace("{locale}", "en")
        .replace(/\{\w+\}|\*/, "x"),
    );
  for (const path of paths)
    for (const client of [person, createClient(app.url)]) {
      const { status } = await client.fetch(path, { method: "POST", body: "no form" });
      expect(status, path).not.toBe(500);
    }
});

test("an upload without its last boundary is refused, and nothing is left of it", async () => {
  const before = uploadFolders();
  const client = await signUp(app.url);
  const response = await client.fetch("/en/files", {
    method: "POST",
    headers: { "Content-Type": MULTIPART },
    body: FILE_PART,
  });
  expect(response.status).toBe(400);
  expect(await isAlive()).toBe(true);
  expect(uploadFolders().filter((name) => !before.includes(name))).toEqual([]);
});

/** Only Linux lists open files. */
const linuxTest = test.runIf(process.platform === "linux");

linuxTest("an upload whose sender goes away ends there, and nothing is left of it", async () => {
  const client = await signUp(app.url);
  const socket = await beginUpload(client);
  await expect.poll(temporaryFiles).toBe(1);
  socket.destroy();
  await expect.poll(temporaryFiles).toBe(0);
  expect(await isAlive()).toBe(true);
});

linuxTest(
  "an upload has no path on disk, so nothing is left when the server is killed",
  async () => {
    const before = uploadFolders();
    const client = await signUp(app.url);
    const socket = await beginUpload(client);
    await expect.poll(temporaryFiles).toBe(1);
    expect(uploadFolders()).toEqual(before);
    socket.destroy();
  },
);

test.each([
  "email[999999999]=x&password=aaaaaaaaaaaaaaaaaaaaaa",
  "__intent__=garbage&email=a@example.com",
  '__intent__={"type":"reset"}&email=a@example.com',
  "__state__=garbage",
  "email.a.b=x&email[0]=y",
  "__proto__.polluted=1&constructor=2",
])("the form %j is an ordinary bad form", async (body) => {
  for (const page of ["sign-in", "sign-up", "reset-password?token=x"]) {
    const response = await createClient(app.url).fetch(`/en/${page}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body,
    });
    expect([page, response.status]).toEqual([page, 400]);
    expect((await response.text()).length).toBeLessThan(20_000);
  }
});

test.each(["application/json", "text/plain", "multipart/form-data", ""])(
  "a sign-in as %j is a 400",
  async (contentType) => {
    for (const page of ["sign-in", "sign-up"]) {
      const response = await createClient(app.url).fetch(`/en/${page}`, {
        method: "POST",
        headers: { "Content-Type": contentType },
        body: "email=a",
      });
      expect(response.status).toBe(400);
    }
  },
);

test("a store that fails does not keep a file from being deleted", async () => {
  const server = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    S3_ENDPOINT: "http://127.0.0.1:1",
  });
  try {
    const client = await signUp(server.url);
    const upload = await client.json("POST", "/api/storage/upload", {
      filename: "a.png",
      contentType: "image/png",
      contentLength: 3,
    });
    const { fileId } = upload.body;
    expect((await client.json("DELETE", `/api/storage/files/${fileId}`)).status).toBe(204);
    expect((await client.json("POST", "/api/storage/confirm", { fileId })).status).toBe(404);
  } finally {
    await server.stop();
  }
});
