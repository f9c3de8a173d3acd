import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { runCommand } from "../lib/command";
import { type Accepted, acceptedSchema } from "./advisories";
import { checkAdvisories, checkBom, checkExpiry, checkSignatures, type Outcome } from "./checks";
import { readNpmReply } from "./npm-reply";
import { runNpm } from "./run-npm";

await runCommand({
  name: "audit",
  usage: `Checks the installed packages: production's known vulnerabilities of severity high or critical, except
accepted ones, and the registry's signatures. Writes a CycloneDX list of every package (SBOM). Says so
and continues if the registry does not respond. Exit code 1: something was found, or an accepted
advisory has expired. docs/security.md says what to do then.`,
  options: {
    accepted: {
      type: "string",
      value: "file",
      default: "security/accepted-advisories.json",
      help: "the accepted advisories, with reason and date",
    },
    out: {
      type: "string",
      value: "file",
      default: "build/sbom.cdx.json",
      help: "where to write the SBOM",
    },
    "require-answer": { type: "boolean", help: "also fail if the registry does not respond" },
  },
  async run({ values, print }) {
    const accepted = await readAccepted(values.accepted);
    const outcomes = [
      checkExpiry(accepted, new Date()),
      checkAdvisories(readNpmReply(await runNpm(["audit", "--json", "--omit=dev"])), accepted),
      checkSignatures(readNpmReply(await runNpm(["audit", "signatures", "--json"]))),
      await writeBom(values.out),
    ];
    for (const line of outcomes.flatMap(({ lines }) => lines)) print(line);
    const failing: Outcome["status"][] = values["require-answer"]
      ? ["failed", "unreachable"]
      : ["failed"];
    return outcomes.some(({ status }) => failing.includes(status)) ? 1 : 0;
  },
});

async function readAccepted(file: string): Promise<Accepted[]> {
  const { data, error } = acceptedSchema.safeParse(JSON.parse(await readFile(file, "utf8")));
  if (data) return data;
  const [issue] = error.issues;
  throw new Error(`${file}: ${issue?.path.join(".")}: ${issue?.message}`);
}

/**
 * Lists all packages and marks development ones. npm's own `--omit=dev` also drops packages that both
 * need.
 */
async function writeBom(file: string): Promise<Outcome> {
  const args = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"];
  const reply = readNpmReply(await runNpm(args));
  if (reply.status === "unreachable") throw new Error(`npm wrote no SBOM: ${reply.reason}`);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(reply.value, null, 2)}\n`);
  return checkBom(reply.value, JSON.parse(await readFile("package-lock.json", "utf8")), file);
}
