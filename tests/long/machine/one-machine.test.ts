import { execFileSync, spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { migrateDatabase } from "../../../scripts/db/migrate";
import { startPostgres } from "../../../scripts/lib/embedded-postgres";
import { readConfiguration } from "../../../scripts/preflight/configuration";
import { checkConfiguration } from "../../../scripts/preflight/configuration-checks";
import { checkDatabase } from "../../../scripts/preflight/database-checks";
import { REQUIRED } from "../../fixtures/preflight";
import { fillIn, readDocBlock } from "../../helpers/doc-blocks";
import { openSession } from "../../helpers/migrations";
import { hasProgram, withSystemFolders } from "../../helpers/program";

const PAGE = "docs/one-machine.md";
/** Each unit, and a text that only its block has. */
const UNITS = {
  "credits.service": "start.js",
  "credits-cron.service": "cron.js",
  "credits-backup.service": "db-backup.js",
  "credits-backup.timer": "03:15:00",
  "credits-watch.service": "/healthz || { systemctl",
  "credits-watch.timer": "OnUnitInactiveSec",
  "credits-alert@.service": "sendmail",
  "credits-status.service": "status.js",
  "credits-status.timer": "*:0/10",
};

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "one-machine-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, env: { ...withSystemFolders(), HOME: cwd }, stdio: "pipe" });

test.skipIf(!hasProgram("psql"))(
  "the role of the page owns its database, and nothing else",
  async () => {
    const folder = await createFolder();
    const name = `role_${path.basename(folder).replace(/\W/g, "_").toLowerCase()}`;
    const sql = readDocBlock(PAGE, "sql", "CREATE ROLE").replaceAll("credits", name);
    await writeFile(path.join(folder, "role.sql"), sql);
    const admin = inject("postgresUrl");
    run("sh", ["-c", `psql --set ON_ERROR_STOP=1 '${admin}' < role.sql`], folder);

    const url = new URL(admin);
    url.username = name;
    url.password = "the-password";
    url.pathname = `/${name}`;
    await migrateDatabase({ databaseUrl: url.href, folder: "prisma/migrations" });
    const session = await openSession(url.href);
    await expect(session.query("CREATE DATABASE more")).rejects.toThrow(/permission denied/);
    await expect(session.query("CREATE ROLE more")).rejects.toThrow(/permission denied/);
    url.pathname = "/postgres";
    await expect(openSession(url.href)).rejects.toThrow(/permission denied/);
  },
);

test.skipIf(!hasProgram("openssl"))(
  "the authority of the page makes a certificate that sslmode=verify-full accepts, with its file alone",
  async () => {
    const folder = await createFolder();
    run("chmod", ["755", "."], folder);
    const script = readDocBlock(PAGE, "sh", "openssl req").replaceAll("db.internal", "localhost");
    run("sh", ["-e", "-c", script], folder);
    const key = path.join(folder, "server.key");
    if (process.getuid?.() === 0) chownSync(key, ...idsOf("postgres"));
    const settings = parseEnv(readDocBlock(PAGE, "ini", "ssl_key_file").replaceAll(" = ", "="));
    const postgres = await startPostgres({
      dataDir: path.join(folder, "data"),
      ephemeral: true,
      settings: {
        ssl: settings.ssl ?? "",
        ssl_cert_file: path.join(folder, path.basename(settings.ssl_cert_file ?? "")),
        ssl_key_file: path.join(folder, path.basename(settings.ssl_key_file ?? "")),
      },
    });
    onTestFinished(() => postgres.stop());
    const ask = async (parameters: string) => {
      const url = `${postgres.url("postgres").replace("127.0.0.1", "localhost")}?${parameters}`;
      const [connection] = await checkDatabase(
        readConfiguration({ ...REQUIRED, DATABASE_URL: url }),
        { migrationsFolder: "prisma/migrations", isSkipped: () => false },
      );
      return connection;
    };
    const own = `sslmode=verify-full&sslrootcert=${path.join(folder, "ca.pem")}`;
    expect(await ask(own)).toMatchObject({ status: "pass" });
    expect(await ask("sslmode=verify-full")).toMatchObject({
      status: "fail",
      action: expect.stringContaining("sslrootcert="),
    });
  },
);

test("the settings of the page are complete, and Node and a shell read them alike", async () => {
  const text = fillIn(readDocBlock(PAGE, "dotenv", "AUTH_SECRET"), {
    "openssl rand -base64 48": "q7Rk2vXw9ZsT4mYb8NcJ1hGf6LdP3uEa5QoKxWiV0tSz+/==",
    "CRON_SECRET='openssl rand -hex 32'": "CRON_SECRET='7f3a9c1e5b2d8f604a6c0e9b1d7f3a52'",
    "METRICS_SECRET='openssl rand -hex 32'": "METRICS_SECRET='0c4d8e2f6a1b5c9d3e7f8a0b2c6d4e1f'",
  });
  const source = parseEnv(text) as Record<string, string>;
  const checks = checkConfiguration(readConfiguration(source));
  expect(checks.filter(({ status }) => status === "fail")).toEqual([]);
  expect(checks.filter(({ status }) => status === "warn").map(({ id }) => id)).toEqual([]);

  const folder = await createFolder();
  await writeFile(path.join(folder, "env"), text);
  const print = `${process.execPath} -p 'JSON.stringify(process.env)'`;
  const shell = JSON.parse(`${run("sh", ["-c", `set -a; . ./env; ${print}`], folder)}`);
  expect(shell).toMatchObject(source);
});

test.skipIf(!hasProgram("systemd-analyze"))("systemd understands the units", async () => {
  const folder = await createFolder();
  const user = os.userInfo().username;
  for (const [name, holding] of Object.entries(UNITS))
    await writeFile(
      path.join(folder, name),
      readDocBlock(PAGE, "ini", holding)
        .replace("User=credits", `User=${user}`)
        .replace("/usr/bin/node", process.execPath),
    );
  const units = Object.keys(UNITS).map((unit) => path.join(folder, unit));
  const said = run("sh", ["-c", `systemd-analyze verify --man=no ${units.join(" ")} 2>&1`], folder);
  expect(`${said}`).toBe("");
});

test("a restore stops every timer of the page before the server, and starts it after the server", () => {
  const timers = Object.keys(UNITS).filter((unit) => unit.endsWith(".timer"));
  const linesOf = (verb: string, holding: string) =>
    readDocBlock("docs/backups.md", "sh", holding)
      .split("\n")
      .filter((line) => line.startsWith(`systemctl ${verb} `))
      .map((line) => line.split(" ").slice(2).sort());
  const services = ["credits", "credits-cron"];
  expect(linesOf("stop", "systemctl stop")).toEqual([timers.toSorted(), services]);
  expect(linesOf("start", "systemctl start")).toEqual([services, timers.toSorted()]);
});

test.each([
  ["stopped", ["--quiet is-active credits"], 0],
  ["hung", ["--quiet is-active credits", "try-restart credits"], 1],
])("the watch asks after a server that is %s", async (state, asked, code) => {
  const folder = await createFolder();
  const fake = async (name: string, text: string) =>
    writeFile(path.join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  await fake("systemctl", `echo "$@" >> asked; test ${state} = hung`);
  await fake("curl", "exit 28");
  const [, script = ""] =
    /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(
      readDocBlock(PAGE, "ini", UNITS["credits-watch.service"]),
    ) ?? [];
  const own = `PATH=${folder}:$PATH; ${script}`;
  const { status } = spawnSync("sh", ["-c", own], { cwd: folder });
  expect(status).toBe(code);
  expect((await readFile(path.join(folder, "asked"), "utf8")).trim().split("\n")).toEqual(asked);
});

describe("the proxies and the firewall that are not nginx", () => {
  test.skipIf(!hasProgram("caddy"))("Caddy accepts its file", async () => {
    const folder = await createFolder();
    await writeFile(path.join(folder, "Caddyfile"), readDocBlock(PAGE, "caddyfile", "shop"));
    const args = ["validate", "--adapter", "caddyfile", "--config", "Caddyfile"];
    expect(`${run("sh", ["-c", `caddy ${args.join(" ")} 2>&1`], folder)}`).toContain("Valid");
  });

  test.skipIf(!hasProgram("nft") || process.getuid?.() !== 0)(
    "nftables accepts its file",
    async () => {
      const folder = await createFolder();
      await writeFile(path.join(folder, "rules"), readDocBlock(PAGE, "nftables", "flush"));
      run("nft", ["--check", "--file", "rules"], folder);
    },
  );
});

function idsOf(user: string): [number, number] {
  const id = (flag: string) => Number(execFileSync("id", [flag, user], { encoding: "utf8" }));
  return [id("-u"), id("-g")];
}
