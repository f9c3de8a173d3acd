import { readFile } from "node:fs/promises";
import { runCommand } from "../../lib/command";
import { type Allowed, allowedSchema, findSecrets } from "./find-secrets";
import { readFiles, readHistory } from "./texts";

const ALLOWED_FILE = "security/allowed-secrets.json";

await runCommand({
  name: "secrets",
  usage: `Looks for keys, tokens and passwords in the project's files, and in all that its commits ever added.
Exit code 1: one was found that security/allowed-secrets.json doesn't allow.`,
  options: {
    folder: { type: "string", value: "folder", default: ".", help: "the project to look at" },
  },
  async run({ values: { folder }, print }) {
    const allowed = await readAllowed();
    const files = readFiles(folder);
    const history = readHistory(folder);
    let found = 0;
    for (const texts of history ? [files, history] : [files])
      for (const { offset, what, fingerprint } of await findSecrets(texts.text, allowed)) {
        found += 1;
        print(`${texts.placeOf(offset)}: ${what} (fingerprint ${fingerprint})`);
      }
    if (!history) print("the history was not looked at: this folder is no Git repository");
    if (history?.isShallow) print("the clone is shallow: earlier commits were not looked at");
    if (found > 0) {
      print(
        `If it is a secret, replace it where it came from (docs/incidents/secret-leaked.md): the history keeps it. Then add its fingerprint to ${ALLOWED_FILE}, or a pattern if it is none`,
      );
      return 1;
    }
    print(`no secret in ${files.count} files and ${history?.count ?? 0} commits`);
  },
});

async function readAllowed(): Promise<Allowed> {
  const { data, error } = allowedSchema.safeParse(JSON.parse(await readFile(ALLOWED_FILE, "utf8")));
  if (data) return data;
  const [issue] = error.issues;
  throw new Error(`${ALLOWED_FILE}: ${issue?.path.join(".")}: ${issue?.message}`);
}
