import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import { COMMANDS } from "../../scripts/commands.mjs";
import { folderTree } from "../../scripts/starter/tree";
import { ignoredBy, parseDockerfile } from "../helpers/dockerfile";
import { importClosure } from "../helpers/import-closure";

const DOCKERFILE = readFileSync("Dockerfile", "utf8");
const isIgnored = ignoredBy(readFileSync(".dockerignore", "utf8"));

test("compose.yaml is read as YAML: the server waits for the migrations, they for the database, and the scheduler calls it", () => {
  const { services, volumes } = parse(readFileSync("compose.yaml", "utf8"), { merge: true });
  expect(Object.keys(services)).toEqual(["db", "migrate", "app", "cron"]);
  expect(services.cron.environment).toEqual(services.app.environment);
  expect(services.cron.command).toEqual([
    ...["node", "build/commands/cron.js", "--url"],
    `http://app:${services.app.environment.PORT}`,
  ]);
  expect(services.migrate.depends_on).toEqual({ db: { condition: "service_healthy" } });
  expect(services.app.depends_on).toEqual({
    migrate: { condition: "service_completed_successfully" },
  });
  expect(services.app.environment).toEqual(services.migrate.environment);
  expect(services.migrate.command).toEqual(["node", "build/commands/db-migrate.js"]);
  expect(services.db.volumes).toEqual([
    `${Object.keys(volumes)[0]}:/var/lib/postgresql`,
    "./docker/init-db.sql:/docker-entrypoint-initdb.d/init-db.sql:ro",
  ]);
  expect(services.db.environment).toEqual({
    POSTGRES_PASSWORD: expect.stringMatching(/^\$\{POSTGRES_PASSWORD:\?/),
  });
});

test("compose.yaml opens the app to this machine alone, and confines every container", () => {
  const { services, networks } = parse(readFileSync("compose.yaml", "utf8"), { merge: true });
  expect(services.app.ports).toEqual(["127.0.0.1:3000:3000"]);
  expect(services.db.ports).toBeUndefined();
  for (const { ports } of [services.migrate, services.cron]) expect(ports).toBeUndefined();
  expect(services.db.networks).toEqual(["database"]);
  expect(networks.database).toEqual({ internal: true });
  for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
    expect(service, name).toMatchObject({
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: expect.any(Number),
    });
  }
  for (const service of [services.migrate, services.app, services.cron]) {
    expect(service).toMatchObject({ read_only: true, tmpfs: ["/tmp:size=256m"] });
    expect(service.cap_add).toBeUndefined();
  }
});

test("files of one machine don't get into an image", () => {
  const kept = [
    "app/root.tsx",
    "scripts/start.ts",
    "prisma/schema.prisma",
    "package.json",
    ".npmrc",
  ];
  const out = [".env", ".env.local", ".git/config", "node_modules/a/b.js", "build/server/index.js"];
  const tests = ["tests/helpers/client.ts", "scripts/db/seed.test.ts", "app/a/b.test.tsx"];
  expect(kept.filter(isIgnored)).toEqual([]);
  expect([...out, ...tests].filter((file) => !isIgnored(file))).toEqual([]);
});

test("a Dockerfile is split into stages, continued lines joined and flags apart", () => {
  expect(
    parseDockerfile("FROM a AS b\n# no\nRUN one && \\\n    two\nFROM b\nCOPY --from=b x y\n"),
  ).toEqual([
    { from: "a", name: "b", instructions: [{ name: "RUN", flags: {}, text: "one &&  two" }] },
    { from: "b", name: null, instructions: [{ name: "COPY", flags: { from: "b" }, text: "x y" }] },
  ]);
});

test("the image is built from the scripts that the build, the server and the operator commands import, and no other", () => {
  const builds = ["vite.config.ts", "vite.commands.config.ts"];
  const entries = ["scripts/run.mjs", ...builds, ...Object.values(COMMANDS)];
  const needed = [...importClosure(entries)].filter((file) => file.startsWith("scripts/"));
  const inContext = folderTree(".")
    .list()
    .filter((file) => file.startsWith("scripts/") && !isIgnored(file));
  expect(inContext.filter((file) => file !== "scripts/generate-client.mjs")).toEqual(needed.sort());
});

test("every script of package.json that serves production runs the built command of its name", () => {
  const scripts: Record<string, string> = packageJson.scripts;
  for (const [name, source] of Object.entries(COMMANDS)) {
    expect(scripts[name]?.replace("exec ", "")).toBe(`node scripts/run.mjs ${name}`);
    expect(existsSync(source), source).toBe(true);
  }
});

test("every stage starts from one exact version of Node 24, and installs run no script of a package", () => {
  const bases = parseDockerfile(DOCKERFILE).map(({ from }) => from);
  expect(new Set(bases).size).toBe(1);
  expect(bases[0]).toMatch(/^node:24\.\d+\.\d+-bookworm-slim(@sha256:[0-9a-f]{64})?$/);
  expect(readFileSync(".nvmrc", "utf8")).toBe("24\n");
  const installs = DOCKERFILE.match(/npm (ci|install|uninstall)\b[^&\n]*/g) ?? [];
  expect(installs).toHaveLength(3);
  for (const command of installs) expect(command).toContain("--ignore-scripts");
});
