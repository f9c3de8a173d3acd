import type { Doc } from "./markdown";
import { lineAt, type Problem } from "./problem";

/** Names that docs may use but the configuration doesn't read. */
const NAMES_ELSEWHERE = [
  "DEFAULT_LOCALE",
  "JOB_KINDS",
  "JOB_HANDLERS",
  "ACTION_APIS",
  "ACTION_PARTS",
  "ACTION_VIEWS",
  "CHROMIUM_PATH",
  "CI",
  "CRON_TZ",
  "LOCALE_NAMES",
  "NODE_EXTRA_CA_CERTS",
  "NODE_OPTIONS",
  "ON_ERROR_STOP",
  "POSTGRES_PASSWORD",
  "PRISMA_SCHEMA_ENGINE_BINARY",
  "PRODUCT_NAME",
  "SCREENSHOTS",
  "SEED",
];

/** Examples of the reserved names, which take any suffix. */
const EXTENSION_POINTS = ["A_PRICE", "B_PRODUCT"].flatMap((kind) =>
  ["ENTERPRISE_MONTHLY", "LANDING_PAGE"].map((name) => `PROVIDER_${kind}_${name}`),
);

interface VariableCheck {
  /** Only the parts about the current version. */
  docs: Doc[];
  variables: { name: string; alias: string | null }[];
}

/** Finds unknown variables in docs, and known ones that docs/ doesn't mention. */
export function checkVariables({ docs, variables }: VariableCheck): Problem[] {
  const names = variables.flatMap(({ name, alias }) => (alias ? [name, alias] : [name]));
  const known = [...names, ...NAMES_ELSEWHERE, ...EXTENSION_POINTS];
  const named = docs.flatMap(findNames);
  const manual = docs
    .filter(({ file }) => file.startsWith("docs/"))
    .flatMap(({ codes }) => codes.flatMap(({ text }) => text.match(/\w+/g) ?? []));
  const documented = new Set<string>(manual);
  return [
    ...named
      .filter(({ name }) => !isKnown(name, known))
      .map(({ file, line, name }) => ({
        file,
        line,
        text: `variable ${name} does not exist: correct it, or list it in scripts/validate/check-variables.ts if it is not ours`,
      })),
    ...variables
      .filter(({ name }) => !documented.has(name))
      .map(({ name }) => ({
        file: "docs/configuration.md",
        line: 1,
        text: `variable ${name} is not documented: run npm run validate:docs -- --write`,
      })),
  ];
}

/** `STRIPE_*`, `…_API_BASE`, `PROVIDER_A_` and `IMAGE_PROVIDER_{1,2}_KEY` stand for several names. */
function isKnown(name: string, known: string[]): boolean {
  const pattern = name
    .replaceAll(/\{([^}]*)\}/g, (_, choices: string) => `(${choices.replaceAll(/,\s*/g, "|")})`)
    .replaceAll(/[*…]/g, String.raw`\w*`)
    .replace(/^_/, String.raw`\w*_`)
    .replace(/_$/, String.raw`_\w*`);
  const matches = new RegExp(`^${pattern}$`);
  return known.some((variable) => matches.test(variable));
}

/** A word in capitals, maybe for several names; group 2 is `=` if it gets a value. */
const WORD = /(?<![\w./:<$-])([A-Z_*…][A-Z0-9_*…]*(?:\{[\w, ]+\}[A-Z0-9_*…]*)*)(?!\w)(=?)/g;
const ASSIGNMENT = /(?<=^|[\s;&|#])([A-Z][A-Z0-9_]*)=/gm;
const ASSIGNING_LANGUAGES = ["bash", "console", "dotenv", "env", "ini", "sh", "shell"];

function findNames({ file, codes }: Doc): { file: string; line: number; name: string }[] {
  const own = findShellVariables(codes);
  return codes.flatMap(({ text, language, line }) => {
    const place = (name: string, index: number) => ({
      file,
      name,
      line: line + lineAt(text, index) - 1,
    });
    if (language === null) {
      // GET and SVG aren't variables: a variable has an underscore, or gets a value.
      return [...text.matchAll(WORD)]
        .filter(([, name = "", equals]) => equals || /[A-Z0-9]_|_[A-Z]/.test(name))
        .map(({ 1: name = "", index }) => place(name, index));
    }
    if (!ASSIGNING_LANGUAGES.includes(language)) return [];
    return [...text.matchAll(ASSIGNMENT)]
      .filter(([, name = ""]) => !own.has(name))
      .map(({ 1: name = "", index }) => place(name, index));
  });
}

/** A variable that a file's commands read with `$` is a shell variable, not configuration. */
function findShellVariables(codes: Doc["codes"]): Set<string | undefined> {
  return new Set(
    codes.flatMap(({ text }) => [...text.matchAll(/\$\{?([A-Z]\w*)/g)].map(([, name]) => name)),
  );
}
