import { expect } from "vitest";
import { LOCALES } from "~/i18n/locale";
import { editFile } from "../../scripts/starter/init/edit-file";
import type { Client } from "./client";
import { readBalance } from "./dev-payments";
import { readDocBlock } from "./doc-blocks";
import { runScript } from "./run-script";
import { writeIn } from "./write-in";

/** A block of code of the document that adds an action, a job and more to a project. */
export const ownCode = (language: string, holding: string) =>
  readDocBlock("docs/make-it-yours.md", language, holding);

/** Puts an entry in front of the entry `image` of a record. */
const beforeImage = (entry: string) => (text: string) =>
  text.replace(/^ {2}image: /m, `${entry}  image: `);

/** Takes the steps of docs/make-it-yours.md, section 7, in a copy of the project, with the document's code as it stands. */
export async function addSummaryAction(folder: string): Promise<void> {
  const edit = (file: string, change: (text: string) => string) => editFile(folder, file, change);
  const write = (file: string, text: string) => writeIn(folder, file, text);
  const run = async (script: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runScript(script, args, {}, folder);
    expect(code, `${script}: ${stdout}${stderr}`).toBe(0);
  };
  edit("app/catalog.ts", beforeImage(ownCode("ts", "mostUnits: 1")));
  edit(
    "prisma/schema.prisma",
    (text) =>
      `${text.replace(/^( {2}image +ImageGeneration\?)$/m, "$1\n  summary Summary?")}\n${ownCode("prisma", "model Summary")}`,
  );
  await run("scripts/generate-client.mjs");
  await run("scripts/db/generate.command.ts", "summaries");
  await run("scripts/starter/check.command.ts", "--write");
  write("app/models/summaries/summarize.server.ts", ownCode("ts", "export function startSummary"));
  write(
    "app/models/summaries/summary-action.server.ts",
    ownCode("ts", "export const summaryAction"),
  );
  edit("app/models/actions/registry.server.ts", (text) =>
    beforeImage("  summary: summaryAction,\n")(text).replace(
      "import type { ActionParts }",
      'import { summaryAction } from "~/models/summaries/summary-action.server";\nimport type { ActionParts }',
    ),
  );
  edit("app/components/actions/action-views.ts", beforeImage(ownCode("ts", 'icon: "doc"')));
  for (const locale of LOCALES)
    edit(`app/i18n/locales/${locale}.json`, (text) =>
      text.replace('"actions": {\n', `"actions": {\n${ownCode("json", '"summary": {')}`),
    );
  edit("app/server/openapi/action-apis.ts", beforeImage(ownCode("ts", "paths: {}")));
  write("app/routes/$locale.summary.tsx", ownCode("tsx", "export default function Summary"));
}

/** Sends the page's form twice at once, and expects one summary for the price of one. */
export async function buySummary(client: Client): Promise<void> {
  const before = await readBalance(client);
  const page = await (await client.fetch("/en/summary")).text();
  const formKey = page.match(/name="formKey" value="([^"]+)"/)?.[1] ?? "";
  const form = { formKey, text: "The first sentence. The second one." };
  const sent = await Promise.all([1, 2].map(() => client.post("/en/summary", form)));
  const [shown, again] = sent.map(({ headers }) => headers.get("Location"));
  expect(again).toBe(shown);
  expect(await (await client.fetch(shown ?? "")).text()).toContain("The first sentence.");
  expect(await readBalance(client)).toBe(before - 2);
}
