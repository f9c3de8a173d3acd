import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const FORBIDDEN = [
  ["app/models/a.server.ts", "~/routes/_index"],
  ["app/models/b.server.ts", "~/server/session.server"],
  ["app/models/c.server.ts", "@remix-run/node"],
  ["app/models/f.server.ts", "../server/session.server"],
  ["app/models/credits/a.server.ts", "~/models/billing/orders.server"],
  ["app/models/files/a.server.ts", "~/models/credits/lots.server"],
  ["app/models/billing/a.server.ts", "~/models/webhooks/inbox.server"],
  ["app/models/images/a.server.ts", "../accounts/users.server"],
  ["app/models/webhooks/a.server.ts", "~/models/images/generations.server"],
  ["app/models/accounts/a.server.ts", "~/models/upkeep/maintenance.server"],
  ["app/models/emails/a.server.ts", "~/models/accounts/users.server"],
  ["app/models/accounts/c.server.ts", "~/models/email-delivery/send-emails.server"],
  ["app/models/email-delivery/a.server.ts", "~/models/upkeep/maintenance.server"],
  // A folder's own rules don't replace those of its layer.
  ["app/models/credits/b.server.ts", "~/server/session.server"],
  ["app/services/storage/d.server.ts", "../../models/users.server"],
  ["app/services/storage/a.server.ts", "~/models/users.server"],
  ["app/services/storage/b.server.ts", "~/db.server"],
  ["app/utils/a.ts", "~/services/storage/content-types"],
  ["app/env/a.ts", "~/models/users.server"],
  ["app/db.server.ts", "~/models/users.server"],
  ["app/server/a.server.ts", "~/routes/_index"],
  ["app/components/a.tsx", "~/models/users.server"],
] as const;

const ALLOWED = [
  ["app/routes/a.tsx", "~/models/users.server"],
  ["app/models/d.server.ts", "~/services/storage/s3-store.server"],
  ["app/models/e.server.ts", "~/db.server"],
  ["app/models/images/b.server.ts", "~/models/billing/orders.server"],
  ["app/models/billing/b.server.ts", "~/models/credits/lots.server"],
  ["app/models/accounts/b.server.ts", "~/models/images/generations.server"],
  ["app/models/billing/c.server.ts", "~/models/emails/outbox.server"],
  ["app/models/email-delivery/b.server.ts", "~/models/accounts/verification-tokens.server"],
  ["app/models/upkeep/b.server.ts", "~/models/accounts/sessions.server"],
  ["app/services/storage/c.server.ts", "~/env.server"],
  ["app/components/b.tsx", "~/services/storage/content-types"],
] as const;

/** Files that import each other, one of them only a type. */
const CYCLE = {
  "app/utils/b.ts": 'import type { D } from "./d";\nexport const c: D = "c";\n',
  "app/utils/d.ts": 'import { c } from "./b";\nexport type D = string;\nexport const d = c;\n',
};

let folder: string;
let report: string;

/** Lints, with our own rules, a set of files that each import one other. */
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "import-direction-"));
  cpSync("biome.json", path.join(folder, "biome.json"));
  const imports = [...FORBIDDEN, ...ALLOWED].map(
    ([file, target]) => [file, `import { a } from "${target}";\nexport const b = a;\n`] as const,
  );
  for (const [file, text] of [...imports, ...Object.entries(CYCLE)]) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--vcs-enabled=false", "--max-diagnostics=none", "--colors=off"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  report = stdout + stderr;
});

afterAll(() => rmSync(folder, { recursive: true }));

const isRefused = (file: string, rule = "noRestrictedImports") =>
  report.split("\n").some((line) => line.startsWith(file) && line.includes(rule));

test.each(FORBIDDEN)("%s may not import %s", (file) => {
  expect(isRefused(file), report).toBe(true);
});

test.each(ALLOWED)("%s may import %s", (file) => {
  expect(isRefused(file), report).toBe(false);
});

test.each(Object.keys(CYCLE))("%s may not be in an import cycle, even of types", (file) => {
  expect(isRefused(file, "noImportCycles"), report).toBe(true);
});
