import pg from "pg";
import { expect, test } from "vitest";
import { readConfiguration } from "../../../scripts/preflight/configuration";
import { checkConfiguration } from "../../../scripts/preflight/configuration-checks";
import { checkDatabase } from "../../../scripts/preflight/database-checks";
import { createReport, formatReport } from "../../../scripts/preflight/report";
import { COMPLETE, REQUIRED } from "../../fixtures/preflight";
import { runScript } from "../../helpers/run-script";
import { createEmptyDatabase } from "../../helpers/test-database";

/** Why the database cannot be used at this address, and the remedy. */
async function ask(databaseUrl: string) {
  const configuration = readConfiguration({ ...REQUIRED, DATABASE_URL: databaseUrl });
  const options = { migrationsFolder: "prisma/migrations", isSkipped: () => false };
  const [connection] = await checkDatabase(configuration, options);
  return connection;
}

async function change(databaseUrl: string, edit: (url: URL) => void): Promise<string> {
  const url = new URL(databaseUrl);
  edit(url);
  return url.href;
}

test.each<[string, (url: URL) => void, RegExp]>([
  [
    "a wrong password",
    (url) => {
      url.password = "wrong";
    },
    /^correct the user or the password/,
  ],
  [
    "an unknown role",
    (url) => {
      url.username = "nobody_here";
    },
    /^correct the user or the password/,
  ],
  [
    "a missing database",
    (url) => {
      url.pathname = "/missing";
    },
    /^create the database/,
  ],
  [
    "no TLS at the server",
    (url) => {
      url.search = "?sslmode=verify-full";
    },
    /^turn TLS on at the server/,
  ],
  [
    "a port without a server",
    (url) => {
      url.port = "1";
    },
    /^nothing listens there/,
  ],
  [
    "an unknown host",
    (url) => {
      url.hostname = "db.invalid";
    },
    /^no machine has that name/,
  ],
])("%s has a remedy of its own", async (_what, edit, remedy) => {
  expect(await ask(await change(await createEmptyDatabase(), edit))).toMatchObject({
    id: "database.connection",
    status: "fail",
    action: expect.stringMatching(remedy),
  });
});

test("a role that may not connect is told how to be let in", async () => {
  const databaseUrl = await createEmptyDatabase();
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  const role = `guest_${new URL(databaseUrl).pathname.slice(1)}`;
  await admin.query(
    `CREATE ROLE ${role} LOGIN PASSWORD 'pw'; REVOKE ALL ON DATABASE ${new URL(databaseUrl).pathname.slice(1)} FROM PUBLIC`,
  );
  await admin.end();
  const url = await change(databaseUrl, (at) => {
    at.username = role;
    at.password = "pw";
  });
  expect(await ask(url)).toMatchObject({ action: expect.stringContaining("GRANT CONNECT") });
});

test("several faults of one check stand one by one, each with its own remedy", () => {
  const source = { ...COMPLETE, PORT: "many", LOG_LEVEL: "loud", SIGNUP_CREDITS: "-1" };
  const report = createReport(checkConfiguration(readConfiguration(source)), source);
  const service = report.checks.find(({ id }) => id === "env.service");
  expect(service?.findings).toHaveLength(3);
  const lines = formatReport(report);
  const at = lines.findIndex((line) => line.includes("env.service"));
  expect(lines.slice(at, at + 6).map((line) => line.trim())).toEqual([
    expect.stringMatching(/^fail {2}env\.service\s+PORT is not a whole number/),
    "→ write digits only",
    expect.stringMatching(/^LOG_LEVEL must be one of/),
    "→ correct the value, or unset it",
    expect.stringMatching(/^SIGNUP_CREDITS is not a whole number/),
    "→ write digits only",
  ]);
});

test("a misspelt name warns, with the name that was meant", () => {
  const checks = checkConfiguration(readConfiguration({ ...COMPLETE, DATABSE_URL: "x" }));
  expect(checks.find(({ id }) => id === "env.unknown")).toEqual({
    id: "env.unknown",
    status: "warn",
    message: "DATABSE_URL is no variable of this service, so it has no effect",
    action: "did you mean DATABASE_URL?",
  });
});

test.each([
  ["emails", "list"],
  ["ledger", "verify"],
  ["webhooks", "list"],
])("%s names the server that cannot be reached", async (command, subcommand) => {
  const DATABASE_URL = "postgres://someone:secret-word@127.0.0.1:1/shop";
  const { code, stderr } = await runScript(
    `scripts/${command}/${command}.command.ts`,
    [subcommand],
    { DATABASE_URL },
  );
  expect(code).toBe(1);
  expect(stderr).toBe(
    `${command} ${subcommand}: the database server cannot be reached at 127.0.0.1:1\n`,
  );
});
