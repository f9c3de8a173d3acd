import { afterAll, expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { startImageSandbox } from "../../../scripts/sandbox/images/image-sandbox";
import { startMailSandbox } from "../../../scripts/sandbox/mail/mail-sandbox";
import { createClient, signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { runScript } from "../../helpers/run-script";
import { requestUpload } from "../../helpers/upload";
import { withTestServer } from "../../helpers/with-test-server";

/** Values that no log may contain; each test sends one of them and makes its request fail. */
const SECRETS = {
  address: "leaky-address@refused.example",
  password: "leaky horse battery staple",
  filename: "leaky-diagnosis.png",
  prompt: "leaky prompt of a very private kind",
} as const;

const stops: (() => Promise<void>)[] = [];
const app = withTestServer(async () => {
  const mail = await startMailSandbox({ port: 0, onMail: () => undefined });
  const images = await startImageSandbox({ port: 0 });
  stops.push(mail.stop, images.stop);
  return {
    ...mail.env,
    ...images.env,
    // Nothing listens there: URLs can be signed, but no object can be read.
    S3_ENDPOINT: "http://127.0.0.1:9",
  };
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** Error lines that the server wrote since `before`. */
const errorsSince = (before: number) =>
  app.server.logs.slice(before).filter(({ level }) => Number(level) >= 50);

/** Runs `work` and returns the error line that it causes. */
async function failing(work: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const before = app.server.logs.length;
  await work();
  await expect.poll(() => errorsSince(before).length).toBeGreaterThan(0);
  return errorsSince(before)[0] ?? {};
}

/** While `work` runs, the table refuses every new row with a constraint that quotes the row. */
async function whileRefused(table: string, work: () => Promise<void>): Promise<void> {
  await app.sql(`ALTER TABLE ${table} ADD CONSTRAINT nothing_new CHECK (false) NOT VALID`);
  try {
    await work();
  } finally {
    await app.sql(`ALTER TABLE ${table} DROP CONSTRAINT nothing_new`);
  }
}

const signUpLeaky = () =>
  createClient(app.url).post("/en/sign-up", {
    email: SECRETS.address,
    password: SECRETS.password,
  });

/** Run after each test on everything the server has written so far. */
async function expectNoLeak(): Promise<void> {
  await app.server.allLogs();
  const output = app.server.output();
  for (const secret of Object.values(SECRETS)) expect(output).not.toContain(secret);
  expect(output).not.toMatch(/leaky|argon2|Failing row contains|X-Amz-|at row \(/i);
}

test("a refused account leaves neither address nor password hash", async () => {
  await whileRefused("users", async () => {
    const line = await failing(async () => expect((await signUpLeaky()).status).toBe(500));
    expect(line).toMatchObject({
      err: {
        code: expect.stringMatching(/^P2/),
        driverCode: "23514",
        message: expect.stringContaining("nothing_new"),
      },
      requestId: expect.any(String),
    });
  });
  await expectNoLeak();
});

test("a value that the database quotes in its message is left out", async () => {
  await app.sql(`
    CREATE FUNCTION quote_address() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM NEW.email::uuid; RETURN NEW; END $$`);
  await app.sql(
    "CREATE TRIGGER quote BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION quote_address()",
  );
  const line = await failing(async () => expect((await signUpLeaky()).status).toBe(500));
  await app.sql("DROP TRIGGER quote ON users");
  expect(line).toMatchObject({ err: { message: expect.stringContaining("[value]") } });
  await expectNoLeak();
});

test("a message that names an address and a hash loses both", async () => {
  await app.sql(`
    CREATE FUNCTION name_address() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no place for % with %', NEW.email, NEW.password_hash; END $$`);
  await app.sql(
    "CREATE TRIGGER name BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION name_address()",
  );
  const line = await failing(async () => expect((await signUpLeaky()).status).toBe(500));
  await app.sql("DROP TRIGGER name ON users");
  expect(line).toMatchObject({
    err: { message: expect.stringContaining("no place for [address] with [hash]") },
  });
  await expectNoLeak();
});

test("a refused file leaves no file name", async () => {
  const person = await signUp(app.url);
  await whileRefused("files", async () => {
    await failing(() =>
      expect(requestUpload(person, { filename: SECRETS.filename })).rejects.toThrow("500"),
    );
  });
  await expectNoLeak();
});

test("a refused generation leaves no prompt", async () => {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, CREDITS_PER_IMAGE);
  await whileRefused("image_generations", async () => {
    await failing(async () => {
      const response = await person.json("POST", "/api/generate-image", { prompt: SECRETS.prompt });
      expect(response.status).toBe(500);
    });
  });
  await expectNoLeak();
});

test("a mail that its server refuses leaves no recipient, though the server's response names them", async () => {
  expect((await signUpLeaky()).status).toBe(303);
  const lines = () => app.server.logs.filter(({ msg }) => String(msg).includes("was not sent;"));
  await expect.poll(() => JSON.stringify(lines())).toContain("550");
  await expectNoLeak();
});

test("a store that is out of reach leaves no signature of its URLs", async () => {
  const person = await signUp(app.url);
  const upload = await requestUpload(person, { filename: SECRETS.filename });
  expect(upload.uploadUrl).toContain("X-Amz-Signature");
  await failing(async () => {
    const { status } = await person.json("POST", "/api/storage/confirm", { fileId: upload.fileId });
    expect(status).toBeGreaterThanOrEqual(500);
  });
  await expectNoLeak();
});

test("an uncaught error ends the process with a log line that has none of its fields", async () => {
  const script = `
    import { logCrashes } from "./app/server/http/crash-log.server";
    logCrashes();
    const detail = "Failing row contains (${SECRETS.address})";
    setTimeout(() => { throw Object.assign(new Error("to ${SECRETS.address}"), { detail }); });`;
  const { code, stdout, stderr } = await runScript("--input-type=module", ["-e", script], {});
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ level: 60, err: { message: "to [address]" } });
  expect(stdout + stderr).not.toContain(SECRETS.address);
});
