import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { LOCALES } from "~/i18n/locale";
import { findCompiler } from "../../scripts/preflight/types-check";
import { editFile } from "../../scripts/starter/init/edit-file";
import { createClient, signUp } from "../helpers/client";
import { DEMO, withDevClone } from "../helpers/dev-clone";
import { readBalance } from "../helpers/dev-payments";
import { readDocBlock } from "../helpers/doc-blocks";
import { runScript } from "../helpers/run-script";

const { folder, runDev } = withDevClone();
const block = (language: string, holding: string) =>
  readDocBlock("docs/make-it-yours.md", language, holding);

const edit = (file: string, change: (text: string) => string) => editFile(folder(), file, change);

function write(file: string, text: string): void {
  const place = path.join(folder(), file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
}

/** Puts an entry in front of the entry `image` of a record. */
const beforeImage = (entry: string) => (text: string) =>
  text.replace(/^ {2}image: /m, `${entry}  image: `);

/** The steps of docs/make-it-yours.md, section 7, with its code as it stands. */
async function addSummaries(run: (script: string, ...args: string[]) => Promise<unknown>) {
  edit("app/catalog.ts", beforeImage(block("ts", "mostUnits: 1")));
  edit(
    "prisma/schema.prisma",
    (text) =>
      `${text.replace(/^( {2}image +ImageGeneration\?)$/m, "$1\n  summary Summary?")}\n${block("prisma", "model Summary")}`,
  );
  await run("scripts/generate-client.mjs");
  write("app/models/summaries/summarize.server.ts", block("ts", "export function startSummary"));
  write("app/models/summaries/summary-action.server.ts", block("ts", "export const summaryAction"));
  edit("app/models/actions/registry.server.ts", (text) =>
    beforeImage("  summary: summaryAction,\n")(text).replace(
      "import type { ActionParts }",
      'import { summaryAction } from "~/models/summaries/summary-action.server";\nimport type { ActionParts }',
    ),
  );
  edit("app/components/actions/action-views.ts", beforeImage(block("ts", 'icon: "doc"')));
  for (const locale of LOCALES)
    edit(`app/i18n/locales/${locale}.json`, (text) =>
      text.replace('"actions": {\n', `"actions": {\n${block("json", '"summary": {')}`),
    );
  edit("app/server/openapi/action-apis.ts", beforeImage(block("ts", "paths: {}")));
  write("app/routes/$locale.summary.tsx", block("tsx", "export default function Summary"));
}

/** The steps of section 8, but its migration. */
function addWelcomes(): void {
  const beforeEmails = (entry: string) => (text: string) =>
    text.replace(/^ {2}emails: /m, `${entry}  emails: `);
  edit("app/models/jobs/job-kinds.ts", beforeEmails(block("ts", "retryAfter: 10")));
  write("app/server/background/welcome.server.ts", block("ts", "export async function welcome"));
  edit("app/server/background/job-handlers.server.ts", (text) =>
    beforeEmails(block("ts", "run: ({ userId }"))(text).replace(
      "import { getObjectStore }",
      'import { welcome } from "~/server/background/welcome.server";\nimport { getObjectStore }',
    ),
  );
  edit("app/models/accounts/users.server.ts", (text) =>
    text
      .replace(
        "    const result = await createUser(user, transaction);\n",
        (line) => line + block("ts", 'addJob("welcomes"'),
      )
      .replace(/^import /, 'import { addJob } from "~/models/jobs/add-job.server";\nimport '),
  );
}

const tsc = findCompiler(".") ?? "";

test("the action and the job of docs/make-it-yours.md compile as they stand, sell, and run", async () => {
  const run = (script: string, ...args: string[]) => runScript(script, args, {}, folder());
  await addSummaries(run);
  addWelcomes();
  // Its own tests name routes and limits, which step 8 adds.
  const types = (await run(tsc, "--noEmit")).stdout;
  expect(types.split("\n").filter((line) => line.startsWith("app/"))).toEqual([]);
  const generated = await run("scripts/db/generate.command.ts", "summaries");
  expect(generated.code, generated.stderr).toBe(0);
  write("prisma/migrations/20261201090000_welcome_jobs.sql", block("sql", "'welcomes'"));
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
  const page = await (await client.fetch("/en/summary")).text();
  const formKey = page.match(/name="formKey" value="([^"]+)"/)?.[1] ?? "";
  const form = { formKey, text: "The first sentence. The second one." };
  const sent = await Promise.all([1, 2].map(() => client.post("/en/summary", form)));
  const [shown, again] = sent.map(({ headers }) => headers.get("Location"));
  expect(again).toBe(shown);
  expect(await (await client.fetch(shown ?? "")).text()).toContain("The first sentence.");
  expect(await readBalance(client)).toBe(before - 2);
  expect(await (await client.fetch("/en/account/usage")).text()).toContain("The first sentence.");
  expect(await (await client.fetch("/en/account/export")).text()).toContain("The second one.");
  await signUp(dev.url);
  await expect.poll(dev.output, { timeout: 30_000 }).toContain("welcomed");
  dev.signal("SIGTERM");
  expect(await dev.exited).toBe(0);
}, 900_000);
