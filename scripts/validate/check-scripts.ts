import type { TextFile } from "../lib/read-files";
import type { Doc } from "./markdown";
import { lineAt, type Problem } from "./problem";

const FLAGS = String.raw`(?:\s+-[\w-]+)*`;
/** `npm run --silent x`, and the two scripts that npm runs without `run`. */
const COMMAND = new RegExp(
  String.raw`\bnpm${FLAGS}\s+(?:run(?:-script)?${FLAGS}\s+([a-z][\w-]*(?::[\w-]+)*)|(test|start)\b(?!:))`,
  "gi",
);

/** Run by npm itself. */
const LIFECYCLE = new Set(["preinstall", "install", "postinstall", "prepare"]);

interface ScriptCheck {
  /** Only the parts about the current version. */
  docs: Doc[];
  packageJson: TextFile;
}

/** Finds commands in docs that package.json lacks, and scripts of package.json that no doc mentions. */
export function checkScripts({ docs, packageJson }: ScriptCheck): Problem[] {
  const scripts = Object.keys(JSON.parse(packageJson.text).scripts ?? {}) as string[];
  const named = docs.flatMap(findCommands);
  const unknown = named.filter(({ script }) => !scripts.includes(script));
  const documented = new Set(
    named.filter(({ file }) => file === "README.md" || file.startsWith("docs/")).map(scriptOf),
  );
  const silent = scripts.filter((name) => !documented.has(name) && !isHook(name, scripts));
  return [
    ...unknown.map(({ file, line, script }) => ({
      file,
      line,
      text: `${commandOf(script)} is not in package.json: correct the name or add the script`,
    })),
    ...silent.map((name) => ({
      file: packageJson.file,
      line: lineAt(packageJson.text, packageJson.text.indexOf(`"${name}":`)),
      text: `script ${name} is not documented: write \`${commandOf(name)}\` in README.md or docs/`,
    })),
  ];
}

function findCommands({ file, codes }: Doc) {
  return codes.flatMap(({ text, line }) =>
    [...text.matchAll(COMMAND)].map((match) => ({
      file,
      line: line + lineAt(text, match.index) - 1,
      script: match[1] ?? match[2] ?? "",
    })),
  );
}

function commandOf(script: string): string {
  return ["test", "start"].includes(script) ? `npm ${script}` : `npm run ${script}`;
}

const scriptOf = ({ script }: { script: string }) => script;

/** npm runs `prebuild` around `build`; `preflight` is an ordinary script. */
function isHook(name: string, scripts: string[]): boolean {
  const hooked = /^(?:pre|post)(.+)$/.exec(name)?.[1];
  return LIFECYCLE.has(name) || (hooked !== undefined && scripts.includes(hooked));
}
