import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Finding } from "../../db/lint/finding";
import { lintMigrations } from "../../db/lint/lint-migrations";
import { RULES_FILE } from "../../db/lint/squawk";
import type { MigrationFile } from "../../db/migrations-folder";
import { parseChangelog, type Release, releasesCrossed } from "../changelog";
import { installedVersion } from "../checks/check-version";
import { namesInExample, requiredInExample } from "../env-example";
import { type Manifest, readManifest } from "../manifest";
import { MIGRATIONS_FOLDER, readMigrationsOf, readTextOf, type Tree } from "../tree";
import { compareVersions, requireVersion } from "../version";
import { compareTrees, type FilePlan } from "./compare-trees";

export interface UpgradePlan {
  from: string;
  to: string;
  upstream: Tree;
  theirs: Manifest;
  /** The commit that Git merges; null for a release, whose files are copied. */
  commit: string | null;
  /** Oldest first. */
  releases: Release[];
  /** Whether the upgrade skips a whole major version. */
  skipsMajor: boolean;
  files: FilePlan;
  /** Names of the migrations that this project lacks, with the linter's findings. */
  migrations: { name: string; findings: Finding[] }[];
  variables: { added: string[]; required: string[]; gone: string[] };
}

interface PlanOptions {
  /** The project before the upgrade. */
  local: Tree;
  upstream: Tree;
  /** The installed version; by default the manifest's. */
  from?: string | undefined;
  /** The target version; by default the upstream tree's. */
  to?: string | undefined;
}

/** Plans an upgrade of this project. Reads both trees and changes nothing. Throws if they don't fit. */
export function planUpgrade({ local, upstream, ...wanted }: PlanOptions): UpgradePlan {
  const base = readManifest(local);
  const theirs = readManifest(upstream);
  const to = wanted.to ?? theirs.version;
  const from = wanted.from ?? base.version;
  requireFit({ from, to, base, theirs, upstream });
  return {
    from,
    to,
    upstream,
    theirs,
    commit: null,
    releases: releasesCrossed(parseChangelog(readTextOf(upstream, "CHANGELOG.md") ?? ""), from, to),
    skipsMajor: requireVersion(to).major - requireVersion(from).major > 1,
    ...compareProjects({ local, upstream, base, theirs }),
  };
}

interface Projects {
  local: Tree;
  upstream: Tree;
  /** The starter's files that the project began with. */
  base: Manifest;
  theirs: Manifest;
}

/** Compares what an upgrade changes: files, migrations and variables. */
export function compareProjects({ local, upstream, base, theirs }: Projects) {
  const example = (tree: Tree) => readTextOf(tree, ".env.example") ?? "";
  const [before, after] = [example(local), example(upstream)].map(namesInExample);
  const required = requiredInExample(example(upstream));
  const added = without(after, before);
  return {
    files: compareTrees({ local, base, theirs }),
    migrations: newMigrations(local, upstream),
    variables: {
      added,
      required: added.filter((name) => required.includes(name)),
      gone: without(before, after),
    },
  };
}

interface Versions {
  from: string;
  to: string;
  base: Manifest;
  theirs: Manifest;
  upstream: Tree;
}

function requireFit({ from, to, base, theirs, upstream }: Versions): void {
  if (compareVersions(to, from) <= 0) throw new Error(`${to} is not newer than ${from}`);
  if (base.version !== from) {
    throw new Error(`this project is ${base.version} by its manifest, not ${from}`);
  }
  const version = installedVersion(upstream);
  if (version !== to || theirs.version !== to) {
    throw new Error(
      `${upstream.name} is ${version} (manifest ${theirs.version}), not ${to}: name the tag or folder of ${to} with --upstream`,
    );
  }
}

function without(names: string[] = [], others: string[] = []): string[] {
  return names.filter((name) => !others.includes(name));
}

function newMigrations(local: Tree, upstream: Tree) {
  const known = new Set(readMigrationsOf(local).map(({ name }) => name));
  const files = readMigrationsOf(upstream).filter(({ name }) => !known.has(name));
  const findings = lintOutside(upstream, files);
  return files.map(({ name }) => ({
    name,
    findings: findings.filter(({ file }) => file === name),
  }));
}

/** Lints with the new version's own rules, in a temporary folder, because the tree may be a Git commit. */
function lintOutside(upstream: Tree, files: MigrationFile[]): Finding[] {
  const project = mkdtempSync(path.join(tmpdir(), "starter-upgrade-"));
  try {
    writeFileSync(path.join(project, RULES_FILE), readTextOf(upstream, RULES_FILE) ?? "");
    mkdirSync(path.join(project, MIGRATIONS_FOLDER), { recursive: true });
    for (const { name, sql } of files) {
      writeFileSync(path.join(project, MIGRATIONS_FOLDER, name), sql);
    }
    return lintMigrations({ project, folder: MIGRATIONS_FOLDER }, files);
  } finally {
    rmSync(project, { recursive: true });
  }
}
