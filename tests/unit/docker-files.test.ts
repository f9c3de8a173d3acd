import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ignoredBy, parseDockerfile } from "../helpers/dockerfile";

test("compose.yaml is read as YAML: the server waits for the migrations, and they for the database", () => {
  const { services, volumes } = parse(readFileSync("compose.yaml", "utf8"), { merge: true });
  expect(Object.keys(services)).toEqual(["db", "migrate", "app"]);
  expect(services.migrate.depends_on).toEqual({ db: { condition: "service_healthy" } });
  expect(services.app.depends_on).toEqual({
    migrate: { condition: "service_completed_successfully" },
  });
  expect(services.app.environment).toEqual(services.migrate.environment);
  expect(services.migrate.command.join(" ")).toContain("scripts/db/migrate.command.ts");
  expect(services.db.volumes).toEqual([`${Object.keys(volumes)[0]}:/var/lib/postgresql`]);
  expect(services.db.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
});

test("what belongs to one machine does not get into an image", () => {
  const isIgnored = ignoredBy(readFileSync(".dockerignore", "utf8"));
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
