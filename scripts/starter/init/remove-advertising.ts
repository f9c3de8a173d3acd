import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { editFile } from "./edit-file";
import { dropLines } from "./text-edits";

const LOCALES_FOLDER = "app/i18n/locales";

/** Takes the starter's advertisement off the home page, with its texts and styles, and writes a README. */
export function removeAdvertising(folder: string, name: string): void {
  const remove = (file: string) => rmSync(path.join(folder, file), { recursive: true });
  remove("app/components/home/for-developers.tsx");
  editFile(folder, "app/routes/$locale._index.tsx", (text) => dropLines(text, /ForDevelopers/));
  remove("app/styles/pages/home-developers.css");
  editFile(folder, "app/tailwind.css", (text) => dropLines(text, /home-developers/));
  for (const file of readdirSync(path.join(folder, LOCALES_FOLDER))) {
    editFile(folder, path.join(LOCALES_FOLDER, file), (text) => dropTexts(text, /^developers/));
  }
  remove("docs/images");
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
