import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runCommand } from "../../lib/command";
import { licenceFault } from "./judge-licence";
import { listProductionPackages, type Package } from "./production-packages";

/** Files in which packages keep what their licence wants to be passed on. */
const TEXTS = /^(un)?licen[cs]e|^copying|^notice/i;

await runCommand({
  name: "licences",
  usage: `Writes the licences of the packages that production installs, and their texts, to a file.
Exit code 1: a package has one that scripts/audit/licences/judge-licence.ts doesn't allow.`,
  options: {
    out: { type: "string", value: "file", default: "build/third-party.txt", help: "that file" },
  },
  async run({ values: { out }, print }) {
    const packages = listProductionPackages();
    mkdirSync(path.dirname(out), { recursive: true });
    writeFileSync(out, packages.map(describe).join(`\n${"=".repeat(80)}\n\n`));
    const faults = packages.map(licenceFault).filter((fault) => fault !== null);
    for (const fault of faults) print(fault);
    if (faults.length > 0) {
      print("Replace the package, or allow its licence there with the reason");
      return 1;
    }
    print(`licences of ${packages.length} packages in ${out}`);
  },
});

function describe({ name, version, license, path: folder }: Package): string {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXTS.test(entry.name))
    .map((entry) => readFileSync(path.join(folder, entry.name), "utf8").trim());
  const texts = files.length > 0 ? files : ["The package has no text of it."];
  return `${name}@${version}: ${license}\n\n${texts.join("\n\n")}\n`;
}
