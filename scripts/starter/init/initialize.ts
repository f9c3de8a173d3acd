import { spawnSync } from "node:child_process";
import type { Choices } from "./choices";
import {
  beginHistory,
  commitAll,
  describeOrigin,
  requireCleanClone,
  requireCommitter,
} from "./history";
import { keepLocales, setCurrency, setImagesInDevelopment, setName, showSender } from "./identity";
import { removeAdvertising } from "./remove-advertising";
import { emptyChangelog, removeDecisions } from "./remove-history";
import { removeWorkshop } from "./remove-workshop";

interface Extras {
  "remove-advertising"?: boolean | undefined;
  "remove-workshop"?: boolean | undefined;
  "remove-history"?: boolean | undefined;
  git?: boolean | undefined;
}

/** The checks at the end, by their names after `npm run`. */
const CHECKS = ["starter:check", "validate", "typecheck", "test:unit"];

/**
 * Makes the clone in `folder` the product of these choices, and checks it. Returns the exit code. Throws
 * before it changes anything where the clone has changes of its own, or Git knows nobody to commit as.
 */
export function initialize(
  folder: string,
  choices: Choices,
  extras: Extras,
  print: (line: string) => void,
): number {
  const npm = (script: string, ...args: string[]) => runScript(folder, script, args);
  requireCleanClone(folder);
  if (extras.git) requireCommitter(folder);
  const origin = describeOrigin(folder);
  if (extras.git) beginHistory(folder, origin);

  applyChoices(folder, choices);
  if (extras["remove-advertising"]) removeAdvertising(folder, choices.name);
  if (extras["remove-workshop"]) removeWorkshop(folder);
  if (extras["remove-history"]) {
    removeDecisions(folder);
    emptyChangelog(folder, choices.name, origin);
  }
  npm("brand", ...(choices.images ? [] : ["--no-samples"]));
  npm("validate:docs", "--write");
  npm("format");

  const failed = CHECKS.filter((check) => {
    print(`npm run ${check}`);
    return npm(check) !== 0;
  });
  if (failed.length > 0) {
    print(`${failed.join(", ")} failed: see above. \`git diff\` shows what was changed.`);
    return 1;
  }
  if (extras.git) commitAll(folder, `Make it ${choices.name}`);
  print(
    `${choices.name} is ready: \`npm run dev\` starts it, docs/make-it-yours.md goes on from here`,
  );
  return 0;
}

function applyChoices(folder: string, { name, sender, currency, locales, images }: Choices): void {
  setName(folder, name);
  setCurrency(folder, currency);
  keepLocales(folder, locales);
  if (sender) showSender(folder, name, sender);
  // In production images are off unless a variable is set.
  if (!images) setImagesInDevelopment(folder, false);
}

function runScript(folder: string, script: string, args: string[]): number {
  const command = ["run", "--silent", script, ...(args.length > 0 ? ["--", ...args] : [])];
  return spawnSync("npm", command, { cwd: folder, stdio: "inherit" }).status ?? 1;
}
