import { readFile } from "node:fs/promises";
import { runCommand } from "../lib/command";
import { judgeReport } from "./advisories";
import { type Exception, exceptionsSchema, listFaultyExceptions } from "./exceptions";
import { askRegistry } from "./npm-audit";

await runCommand({
  name: "audit",
  usage: `Asks the registry by \`npm audit\` for known weaknesses of the packages that production runs.
Exit code 1: one of any severity is not in the list of exceptions, or an exception has ended. An exception
holds until the deadline of its severity (SECURITY.md), counted from the advisory's publication, or as long
as it says why the weakness does no harm. docs/security.md says what to do then.`,
  options: {
    exceptions: {
      type: "string",
      value: "file",
      default: "security/accepted-advisories.json",
      help: "the list of exceptions",
    },
    "require-answer": { type: "boolean", help: "also fail if the registry does not respond" },
  },
  async run({ values, print }) {
    const exceptions = await readExceptions(values.exceptions);
    const faulty = listFaultyExceptions(exceptions, new Date().toISOString().slice(0, 10));
    for (const line of faulty) print(`${values.exceptions}: ${line}`);
    const reply = await askRegistry();
    if (reply.status === "unreachable") {
      print(`not checked, because the registry did not respond: ${reply.reason}`);
      return faulty.length > 0 || values["require-answer"] ? 1 : 0;
    }
    const { faults, notes } = judgeReport(reply.report, exceptions);
    for (const line of [...notes, ...faults]) print(line);
    if (faulty.length + faults.length > 0) return 1;
    print("every known weakness is excepted, and no exception has ended");
  },
});

async function readExceptions(file: string): Promise<Exception[]> {
  const { data, error } = exceptionsSchema.safeParse(JSON.parse(await readFile(file, "utf8")));
  if (data) return data;
  const [issue] = error.issues;
  throw new Error(`${file}: ${issue?.path.join(".")}: ${issue?.message}`);
}
