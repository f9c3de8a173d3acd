import { expect, test } from "vitest";
import { findCompiler } from "../../scripts/preflight/types-check";
import { editFile } from "../../scripts/starter/init/edit-file";
import { createClient, signUp } from "../helpers/client";
import { DEMO, withDevClone } from "../helpers/dev-clone";
import { readBalance } from "../helpers/dev-payments";
import { runScript } from "../helpers/run-script";
import { addSummaryAction, buySummary, ownCode } from "../helpers/summary-action";
import { writeIn } from "../helpers/write-in";

const { folder, runDev } = withDevClone();

const edit = (file: string, change: (text: string) => string) => editFile(folder(), file, change);
const write = (file: string, text: string) => writeIn(folder(), file, text);

/** The steps of docs/make-it-yours.md, section 8, but its migration. */
function addWelcomes(): void {
  const beforeEmails = (entry: string) => (text: string) =>
    text.replace(/^ {2}emails: /m, `${entry}  emails: `);
  edit("app/models/jobs/job-kinds.ts", beforeEmails(ownCode("ts", "retryAfter: 10")));
  write("app/server/background/welcome.server.ts", ownCode("ts", "export async function welcome"));
  edit("app/server/background/job-handlers.server.ts", (text) =>
    beforeEmails(ownCode("ts", "run: ({ userId }"))(text).replace(
      "import { getObjectStore }",
      'import { welcome } from "~/server/background/welcome.server";\nimport { getObjectStore }',
    ),
  );
  edit("app/models/accounts/users.server.ts", (text) =>
    text
      .replace(
        "    const result = await createUser(user, transaction);\n",
        (line) => line + ownCode("ts", 'addJob("welcomes"'),
      )
      .replace(/^import /, 'import { addJob } from "~/models/jobs/add-job.server";\nimport '),
  );
}

const tsc = findCompiler(".") ?? "";

test("the action and the job of docs/make-it-yours.md compile as they stand, sell, and run", async () => {
  const run = (script: string, ...args: string[]) => runScript(script, args, {}, folder());
  await addSummaryAction(folder());
  addWelcomes();
  expect((await run(tsc, "--noEmit")).stdout).toBe("");
  write("prisma/migrations/20261201090000_welcome_jobs.sql", ownCode("sql", "'welcomes'"));
  await run("scripts/starter/check.command.ts", "--write");

  const dev = await runDev();
  const client = createClient(dev.url);
  await client.post("/en/sign-in", DEMO);
  const before = await readBalance(client);
  const estimate = await client.json("POST", "/api/estimate", {
    action: "summary",
    input: { text: "One sentence." },
  });
  expect(estimate.body).toMatchObject({ units: 1, credits: 2, balance: before, allowed: true });
  await buySummary(client);
  expect(await (await client.fetch("/en/account/usage")).text()).toContain("The first sentence.");
  expect(await (await client.fetch("/en/account/export")).text()).toContain("The second one.");
  await signUp(dev.url);
  await expect.poll(dev.output, { timeout: 30_000 }).toContain("welcomed");
  dev.signal("SIGTERM");
  expect(await dev.exited).toBe(0);
}, 900_000);
