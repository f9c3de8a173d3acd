import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { listenLocally } from "../../helpers/local-server";
import { runScript, startScript } from "../../helpers/run-script";
import { withTestServer } from "../../helpers/with-test-server";

const SECRET = "cron-secret-for-tests-only";
const app = withTestServer({ CRON_SECRET: SECRET });

const SCRIPT = "scripts/cron/cron.command.ts";
const once = (job: string, env: Record<string, string>, ...args: string[]) =>
  runScript(SCRIPT, ["--once", job, ...args], env);

test.each(["maintenance", "subscription-credits"])(
  "--once %s runs the job on the server and exits with 0",
  async (job) => {
    const { code, stdout, stderr } = await once(job, {
      CRON_SECRET: SECRET,
      NEXT_PUBLIC_SITE_URL: app.url,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^${job}: done in \\d+ ms \\{"\\w+":0,[^\n]*\\}\n$`));
    const [run] = await app.sql("SELECT ok FROM job_runs WHERE job = $1", [job]);
    expect(run).toEqual({ ok: true });
  },
);

test("a wrong secret and wrong arguments are reported in one line without the secret", async () => {
  const env = { CRON_SECRET: "some-other-secret", NEXT_PUBLIC_SITE_URL: "http://localhost:1" };
  const [wrong, unset, job, timeout, help] = await Promise.all([
    once("maintenance", env, "--url", app.url),
    once("maintenance", { ...env, CRON_SECRET: "" }),
    once("backup", env),
    once("maintenance", env, "--timeout", "0"),
    runScript(SCRIPT, ["--help"], {}),
  ]);
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toMatch(
    /^cron: maintenance: status 401, unauthenticated, [^\n]*: CRON_SECRET differs from the server's\n$/,
  );
  expect(wrong.stderr).not.toContain("some-other-secret");
  expect(unset).toMatchObject({ code: 1, stdout: "" });
  expect(unset.stderr).toMatch(/^cron: CRON_SECRET is not set[^\n]*\n$/);
  expect(job).toMatchObject({
    code: 2,
    stderr:
      "cron: --once takes maintenance, subscription-credits, not 'backup' (--help says more)\n",
  });
  expect(timeout).toMatchObject({ code: 2, stdout: "" });
  expect(help.stdout).toContain("5 0 * * *    /api/cron/subscription-credits");
});

test("the scheduler prints its schedule and ends cleanly on SIGTERM", async () => {
  const { process: child, finished } = startScript(SCRIPT, [], {
    CRON_SECRET: SECRET,
    NEXT_PUBLIC_SITE_URL: app.url,
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  lines.once("line", () => child.kill("SIGTERM"));
  const { code, stdout, stderr } = await finished;
  const entries = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries[0]).toMatchObject({
    msg: "scheduling",
    jobs: ["*/5 * * * * maintenance", "5 0 * * * subscription-credits"],
  });
  expect(entries.at(-1)).toMatchObject({ msg: "stopping" });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).not.toContain(SECRET);
});

test("--once stopped in the middle says that the result is unknown", async () => {
  const env = { CRON_SECRET: SECRET };
  let asked = () => {};
  const port = await listenLocally(createServer(() => asked()));
  const url = `http://127.0.0.1:${port}`;
  const { process: child, finished } = startScript(
    SCRIPT,
    ["--once", "maintenance", "--url", url],
    env,
  );
  asked = () => void child.kill("SIGTERM");
  expect(await finished).toMatchObject({
    code: 1,
    stderr: "cron: maintenance: stopped before the result was known\n",
  });
});
