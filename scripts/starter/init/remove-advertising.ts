import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { editFile } from "./edit-file";
import { dropLines } from "./text-edits";

const LOCALES_FOLDER = "app/i18n/locales";

/** The files that serve the advertisement alone. */
const OWN_FILES = [
  "app/components/home/for-developers.tsx",
  "app/styles/pages/home-developers.css",
  "docs/images",
  "tests/integration/http/developer-section.test.ts",
];

/** The places elsewhere that know of it. */
const PLACES: Record<string, (text: string) => string> = {
  "app/routes/$locale._index.tsx": (text) =>
    dropLines(text, /ForDevelopers|getEnv/).replace(", forDevelopers }", " }"),
  "app/tailwind.css": (text) => dropLines(text, /home-developers/),
  "app/env/environment.ts": (text) =>
    dropLines(text, /developerSection|start page advertises the starter/),
  "app/env/service.ts": (text) => text.replace(/ *DEVELOPER_SECTION: [\s\S]*?\}\),\n/, ""),
  ".env.example": (text) => text.replace(/#[^\n]*\n# DEVELOPER_SECTION=\n\n/, ""),
  "docs/make-it-yours.md": (text) => text.replace(/The section `ForDevelopers`[\s\S]*?\n\n/, ""),
};

/** Takes the starter's advertisement off the home page, with its texts, styles and variable, and writes a README. */
export function removeAdvertising(folder: string, name: string): void {
  for (const file of OWN_FILES) rmSync(path.join(folder, file), { recursive: true });
  for (const [file, change] of Object.entries(PLACES)) editFile(folder, file, change);
  for (const file of readdirSync(path.join(folder, LOCALES_FOLDER))) {
    editFile(folder, path.join(LOCALES_FOLDER, file), (text) => dropTexts(text, /^developers/));
  }
  editFile(folder, "README.md", () => readme(name));
}

/** Drops the texts of the home page whose keys match. */
function dropTexts(json: string, key: RegExp): string {
  const texts = JSON.parse(json);
  for (const name of Object.keys(texts.home)) if (key.test(name)) delete texts.home[name];
  return `${JSON.stringify(texts, null, 2)}\n`;
}

function readme(name: string): string {
  return `# ${name}

## Run it

\`\`\`sh
npm run dev
\`\`\`

This installs the packages, starts local stand-ins for every service, creates a demo user, and prints how to sign in.

## Test it

\`\`\`sh
npm test
\`\`\`

[tests/README.md](tests/README.md) says how to run some of the tests.

## In production

\`\`\`sh
npm ci
npm run build
npm run db:migrate
npm start
\`\`\`

[The production checklist](docs/production-checklist.md) comes first. [Configuration](docs/configuration.md) lists every variable.

## Read next

- [AGENTS.md](AGENTS.md): for people and coding agents who change the code
- [docs/rules.md](docs/rules.md): the law for money
- [docs/make-it-yours.md](docs/make-it-yours.md): names, prices, texts, providers, metered actions
- [docs/commands.md](docs/commands.md): every command
- [docs/upgrade.md](docs/upgrade.md): newer versions of the starter this was made from
`;
}
