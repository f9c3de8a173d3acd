import { createServer } from "node:http";
import { expect, test } from "vitest";
import { listVariables } from "~/env.server";
import { freePort } from "../../../scripts/lib/free-port";
import { createReport, formatReport } from "../../../scripts/preflight/report";
import { runPreflight } from "../../../scripts/preflight/run-preflight";
import { COMPLETE, type Source } from "../../fixtures/preflight";
import { PACK, productVariable } from "../../fixtures/sold";
import { listenLocally } from "../../helpers/local-server";
import { runScript } from "../../helpers/run-script";
import { createTestDatabase } from "../../helpers/test-database";

/** Part of every secret, easy to find because nothing else contains it. */
const MARK = "xyzzy";
const marked = (name: string) => `${MARK}${name.replace(/\W|_/g, "").toLowerCase()}7Q`;

const PREFIXES: Record<string, string> = {
  PROVIDER_A_SECRET_KEY: "sk_live_",
  PROVIDER_A_WEBHOOK_SECRET: "whsec_",
  PROVIDER_B_API_KEY: "creem_",
};

/** Every secret of the configuration, valid and marked; URLs have one in their password. */
function markSecrets(): Source {
  const secrets = listVariables().filter(({ secret }) => secret);
  return Object.fromEntries(
    secrets.map(({ name }) => [
      name,
      `${PREFIXES[name] ?? ""}${marked(name)}${"kT9vW2pL".repeat(4)}`,
    ]),
  );
}

/** The forms of a marked secret, plain and encoded. */
const FORMS = [MARK, Buffer.from(MARK).toString("base64").slice(0, 6)];

function expectHidden(said: string): void {
  for (const form of FORMS) expect(said).not.toContain(form);
  expect(said.toLowerCase()).not.toContain(MARK);
}

const withMarks = (env: Source) => ({ ...COMPLETE, ...markSecrets(), ...env });

/**
 * Returns the report as text and as JSON, made in this process; console output fails a test anyway.
 */
async function reportOn(env: Source): Promise<string> {
  const source = withMarks(env);
  const options = {
    online: true,
    rehearsal: false,
    skipped: ["code.types"],
    migrationsFolder: "prisma/migrations",
  };
  const report = createReport(await runPreflight(source, options), source);
  const said = [...formatReport(report), JSON.stringify(report)].join("\n");
  expectHidden(said);
  expect(report.ok).toBe(false);
  return said;
}

/** Returns everything the command writes to either stream, at its most verbose log level. */
async function runOn(env: Source, args: string[]): Promise<string> {
  const { stdout, stderr } = await runScript("scripts/preflight/preflight.command.ts", args, {
    ...(withMarks(env) as Record<string, string>),
    LOG_LEVEL: "debug",
  });
  expectHidden(stdout + stderr);
  return stdout + stderr;
}

test("a database that is away, that refuses, and one whose URL cannot be read", async () => {
  const reachable = new URL(await createTestDatabase());
  reachable.password = `${MARK}"'%40 ü`;
  const urls = [
    reachable.href,
    `postgres://${MARK}user:${MARK}pass@127.0.0.1:${await freePort()}/app`,
    `postgres://app:${MARK}%40pass@no-such-host.invalid/app`,
    `postgres://app:${MARK}#pass@host/app`,
    `mysql://app:${MARK}@host/app`,
    `"postgres://app:${MARK}@host/app"`,
    ` postgres://app:${MARK}@127.0.0.1:${await freePort()}/app?sslmode=require `,
    `postgres:///app?host=/nowhere&password=${MARK}`,
    `host=127.0.0.1 password=${MARK}`,
  ];
  for (const DATABASE_URL of urls)
    await reportOn({
      DATABASE_URL,
      NEXT_PUBLIC_ENABLE_PAYMENTS: "",
      S3_ENDPOINT: "",
      S3_BUCKET_NAME: "",
    });
});

test("every value malformed", async () => {
  const env = Object.fromEntries(
    listVariables().map(({ name }) => [name, ` ${MARK}"\u00e9 ${name}`]),
  );
  const output = await reportOn({
    ...env,
    STRIPE_SECRET_KEY: `${MARK}other`,
    FAL_KEY: `${MARK}more`,
  });
  expect(output).toContain("PROVIDER_A_SECRET_KEY and STRIPE_SECRET_KEY disagree");
});

test("weak and half-given secrets", async () => {
  await reportOn({
    AUTH_SECRET: `change-me-${MARK}-change-me-${MARK}`,
    CRON_SECRET: MARK,
    GITHUB_CLIENT_ID: "",
    SMTP_URL: "",
    NEXT_PUBLIC_TURNSTILE_SITE_KEY: "",
    S3_BUCKET_NAME: "",
    IMAGE_PROVIDER: "2",
    IMAGE_PROVIDER_2_KEY: "",
  });
});

/** A provider and store that repeats every received credential in its responses. */
async function startEcho(): Promise<string> {
  const server = createServer((request, response) => {
    const { authorization = "", "x-api-key": key = "" } = request.headers;
    const words = `refused ${authorization} ${key} ${encodeURIComponent(authorization)} ${request.url}`;
    response.statusCode = 401;
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({ error: { type: "x", message: words, code: words }, message: [words] }),
    );
  });
  return `http://127.0.0.1:${await listenLocally(server)}`;
}

test("providers and a store that repeat the key they were sent", async () => {
  const url = await startEcho();
  const output = await reportOn({
    PROVIDER_A_API_BASE: url,
    S3_ENDPOINT: url,
    S3_PUBLIC_URL: `${url}/public`,
  });
  expect(output).toContain("the provider refuses the key");
  await reportOn({
    PAYMENTS_PROVIDER: "creem",
    PROVIDER_B_API_BASE: url,
    [productVariable(PACK.skuKey)]: "prod_1",
    S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    S3_PUBLIC_URL: "",
  });
});

test("the command itself, in text and JSON, where everything goes wrong at once", async () => {
  const url = await startEcho();
  const reachable = new URL(await createTestDatabase());
  reachable.password = `${MARK}wrong`;
  const env = { DATABASE_URL: reachable.href, PROVIDER_A_API_BASE: url, S3_ENDPOINT: url };
  const args = ["--online", "--skip", "code.types"];
  const said = await Promise.all([runOn(env, args), runOn(env, [...args, "--json"])]);
  for (const text of said) expect(text).toContain("the provider refuses the key");
});

test("the command's own failures: wrong arguments, and a folder that is not there", async () => {
  const { AUTH_SECRET = "", CRON_SECRET = "" } = markSecrets();
  const said = await Promise.all([
    runOn({}, ["--skip", AUTH_SECRET]),
    runOn({}, [`--${CRON_SECRET}`]),
    runOn({ DATABASE_URL: await createTestDatabase() }, [
      "--folder",
      AUTH_SECRET,
      "--skip",
      "code",
    ]),
  ]);
  expect(said[0]).toContain("--skip: there is no check");
  expect(said[2]).toContain("cannot read the migrations");
});
