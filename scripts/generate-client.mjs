// In plain JavaScript: npm runs this after an install, and `npm run dev` before one is complete.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const schemaFile = path.join(root, "prisma/schema.prisma");
const stampFile = path.join(root, "app/generated/prisma/schema.sha256");

/** Whether the generated client matches the current schema. */
export function isClientCurrent() {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === schemaHash();
}

/** Runs `prisma generate`. Throws with its output if that fails. */
export function generateClient() {
  const cli = createRequire(import.meta.url).resolve("prisma/build/index.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "generate"], {
    cwd: root,
    encoding: "utf8",
    env: {
      ...process.env,
      // The CLI would download a schema engine that generating doesn't need; any existing file prevents
      // that.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
    },
  });
  if (status !== 0) throw new Error(`prisma generate failed:\n${stdout}\n${stderr}`);
  writeFileSync(stampFile, schemaHash());
}

function schemaHash() {
  return createHash("sha256").update(readFileSync(schemaFile)).digest("hex");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // An install without development packages (a server built elsewhere) has no CLI to run.
  if (existsSync(path.join(root, "node_modules/prisma")) && existsSync(schemaFile))
    generateClient();
}
