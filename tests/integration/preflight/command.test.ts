import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CHECK_IDS } from "../../../scripts/preflight/check-ids";
import type { Report } from "../../../scripts/preflight/report";
import { checkTypes } from "../../../scripts/preflight/types-check";
import { COMPLETE, type Source } from "../../fixtures/preflight";
import { runScript, startScript } from "../../helpers/run-script";
import { createTestDatabase } from "../../helpers/test-database";

const run = (args: string[], env: Source) =>
  runScript("scripts/preflight/preflight.command.ts", args, { ...(env as Record<string, string>) });

/** Skips the compiler, which takes half a minute and has its own test, and the texts that came with the software. */
const QUICK = ["--skip", "code.types", "--skip", "site.legal"];

test("a correct installation exits with 0, and --json prints only the report", async () => {
  const env = { ...COMPLETE, DATABASE_URL: await createTestDatabase(), NODE_ENV: "production" };
  const { code, stdout, stderr } = await run(["--json", ...QUICK], env);
  const report = JSON.parse(stdout) as Report;
  expect({ code, stderr, ok: report.ok }).toEqual({ code: 0, stderr: "", ok: true });
  expect(report.checks.map(({ id }) => id)).toEqual([...CHECK_IDS]);
  expect(Object.values(report.counts).reduce((sum, count) => sum + count)).toBe(CHECK_IDS.length);
  expect(report.counts.fail).toBe(0);

  const text = await run(QUICK, env);
  expect(text).toMatchObject({ code: 0, stderr: "" });
  expect(text.stdout).toMatch(/^pass {2}env\.database-url +DATABASE_URL is set$/m);
  expect(text.stdout).toMatch(/^skip {2}online\.\* +asked with --online only$/m);
  expect(text.stdout).toMatch(/\n\n0 failed, \d+ warned, \d+ passed, \d+ skipped\n$/);
});

test("faults exit with 1 and are all in one report; the text says what to do about each", async () => {
  const env = {
    DATABASE_URL: "mysql://x",
    AUTH_SECRET: "",
    PORT: "x",
    S3_ENDPOINT: "https://s3.test",
  };
  const { code, stdout, stderr } = await run(QUICK, env);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  for (const id of [
    "env.database-url",
    "env.auth-secret",
    "env.site-url",
    "env.service",
    "storage.settings",
  ])
    expect(stdout).toMatch(new RegExp(`^fail {2}${id} .+\\n +→ .+$`, "m"));
});

test("--skip leaves out a check or a group and refuses unknown ones", async () => {
  const groups = [...new Set(CHECK_IDS.map((id) => id.split(".")[0] ?? ""))];
  const args = groups.flatMap((group) => ["--skip", group]);
  const { code, stdout } = await run(["--json", ...args], {});
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as Report).counts.skip).toBe(CHECK_IDS.length);
  expect(await run(["--skip", "databases"], {})).toEqual({
    code: 2,
    stdout: "",
    stderr: "preflight: --skip: there is no check 'databases' (--help says more)\n",
  });
});

test("it has help and refuses unknown arguments", async () => {
  const help = await run(["--help"], {});
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toContain("npm run preflight -- [options]");
  expect(await readFile("docs/preflight.md", "utf8")).toContain(help.stdout);
  expect(await run(["--nonsense"], {})).toMatchObject({ code: 2, stdout: "" });
});

async function createProject(source: string, withCompiler: boolean): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "preflight-types-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(
    path.join(folder, "tsconfig.json"),
    '{ "compilerOptions": { "types": [], "lib": ["ES5"] }, "files": ["a.ts"] }',
  );
  await writeFile(path.join(folder, "a.ts"), source);
  if (withCompiler) await symlink(path.resolve("node_modules"), path.join(folder, "node_modules"));
  return folder;
}

test("type errors fail with the first error; without a compiler the check is skipped", async () => {
  const wrong = 'export const count: number = "one";\n';
  expect(await checkTypes(await createProject(wrong, true))).toMatchObject({
    status: "fail",
    message: expect.stringMatching(/^TypeScript finds an error: a\.ts\(1,14\): error TS2322/),
  });
  const right = "export const count: number = 1;\n";
  expect(await checkTypes(await createProject(right, true))).toMatchObject({ status: "pass" });
  expect(await checkTypes(await createProject(wrong, false))).toMatchObject({
    status: "skip",
    message: "TypeScript is not installed here, as in a production image",
  });
});

test("the command ends when its report is printed, and waits for no idle connection", async () => {
  const env = { ...COMPLETE, DATABASE_URL: await createTestDatabase() } as Record<string, string>;
  const preflight = startScript("scripts/preflight/preflight.command.ts", QUICK, env);
  let printedAt = 0;
  preflight.process.stdout?.on("data", () => {
    printedAt = performance.now();
  });
  await preflight.finished;
  expect(printedAt).toBeGreaterThan(0);
  // Idle connections of a pool live for ten seconds.
  expect(performance.now() - printedAt).toBeLessThan(9_000);
});
