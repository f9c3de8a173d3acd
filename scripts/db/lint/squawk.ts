import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import type { MigrationFile } from "../migrations-folder";
import type { Finding } from "./finding";

export interface MigrationsFolder {
  /** Relative to the current folder, in which squawk looks for its rules. */
  folder: string;
}

/** Only the fields we print. Lines count from 0. */
const reportSchema = z.array(
  z.object({
    file: z.string(),
    line: z.number(),
    rule_name: z.string(),
    message: z.string(),
    help: z.string().nullable(),
  }),
);

/**
 * Runs squawk on migrations under the rules in the project's `.squawk.toml`. It connects to nothing.
 * Throws when squawk isn't installed or doesn't run on this machine.
 */
export function runSquawk(folder: MigrationsFolder, files: MigrationFile[]): Finding[] {
  const inTransaction = files.filter(({ noTransaction }) => !noTransaction);
  const alone = files.filter(({ noTransaction }) => noTransaction);
  return [
    ...lint(folder, inTransaction, "--assume-in-transaction"),
    ...lint(folder, alone, "--no-assume-in-transaction"),
  ];
}

function lint({ folder }: MigrationsFolder, files: MigrationFile[], mode: string): Finding[] {
  if (files.length === 0) return [];
  const paths = files.map(({ name }) => path.join(folder, name));
  const args = ["--reporter", "json", "--no-error-on-unmatched-pattern", mode, ...paths];
  const { stdout, stderr, error } = spawnSync(findBinary(), args, { encoding: "utf8" });
  if (error) throw new Error(`squawk does not run on this machine: ${error.message}`);
  if (!stdout) throw new Error(`squawk failed: ${stderr.trim()}`);
  return reportSchema.parse(JSON.parse(stdout)).map(({ file, line, rule_name, message, help }) => ({
    file: path.basename(file),
    line: line + 1,
    rule: rule_name,
    text: help ? `${message} ${help}` : message,
  }));
}

/** Looked up on use: an image without development packages has no squawk. */
function findBinary(): string {
  const require = createRequire(import.meta.url);
  try {
    const squawk: { getBinaryPath(): string } = require("squawk-cli/js/index.js");
    return squawk.getBinaryPath();
  } catch (cause) {
    throw new Error("squawk is not installed: npm ci installs it with the development packages", {
      cause,
    });
  }
}
