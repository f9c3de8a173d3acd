import { runCommand, UsageError } from "../lib/command";
import { findUnknown } from "./check-ids";
import { createReport, formatReport } from "./report";
import { runPreflight } from "./run-preflight";

await runCommand({
  name: "preflight",
  usage: `Pre-deploy check: reports what is wrong with this installation, and what to do.
Checks the configuration, the database with its migrations, unique rows and ledger, and the types. It
changes nothing: it does not migrate, lint, test or build. One report has every fault, and each check
has a stable id. Exit code 0: nothing failed. 1: something did. docs/preflight.md explains each check.`,
  options: {
    json: { type: "boolean", help: "print the report as JSON, and nothing else" },
    online: {
      type: "boolean",
      help: "also ask the payment provider, the bucket, the image providers, the text provider, the sign-in providers, the bot challenge and the mail server; writes and deletes one small object",
    },
    rehearsal: {
      type: "boolean",
      help: "only warn of what a trial on this machine, with the sandbox, cannot have: a public address, and a closed bucket",
    },
    skip: {
      type: "string",
      multiple: true,
      value: "id",
      help: "leave out a check, or a group by its first word: code.types, database",
    },
    folder: { type: "string", value: "path", default: "prisma/migrations", help: "the .sql files" },
  },
  async run({ values, print }) {
    const skipped = values.skip ?? [];
    const unknown = findUnknown(skipped);
    if (unknown !== null) throw new UsageError(`--skip: there is no check '${unknown}'`);
    const checks = await runPreflight(process.env, {
      skipped,
      online: values.online === true,
      rehearsal: values.rehearsal === true,
      migrationsFolder: values.folder,
    });
    const report = createReport(checks, process.env);
    // Not with `print`: it would redact the JSON again as one text, not value by value.
    if (values.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    else for (const line of formatReport(report)) print(line);
    return report.ok ? 0 : 1;
  },
});
