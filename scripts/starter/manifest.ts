import { z } from "zod";
import { normaliseText, sha256 } from "../db/migrations-folder";
import { readTextOf, type Tree } from "./tree";

export const MANIFEST_FILE = ".starter/manifest.json";

const manifestSchema = z.object({
  /** The starter's version of these files. */
  version: z.string(),
  /** Path → SHA-256 of every file of that version. */
  files: z.record(z.string(), z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** Throws if there is no manifest or it is malformed. */
export function readManifest(tree: Tree): Manifest {
  const text = readTextOf(tree, MANIFEST_FILE);
  if (text === null) throw new Error(`${tree.name} has no ${MANIFEST_FILE}`);
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(`${MANIFEST_FILE} of ${tree.name} is damaged: bring it back from git`);
  }
}

/** Makes a manifest of the current tree as `version`. */
export function manifestOf(tree: Tree, version: string): Manifest {
  const files = tree.list().filter((file) => file !== MANIFEST_FILE);
  const hashes = files.map((file) => [file, hashFile(tree.read(file) ?? Buffer.alloc(0))]);
  return { version, files: Object.fromEntries(hashes) };
}

export const renderManifest = (manifest: Manifest) => `${JSON.stringify(manifest, null, 2)}\n`;

/** SHA-256 in hexadecimal; for text, line ends don't matter. */
export function hashFile(bytes: Buffer): string {
  try {
    return sha256(normaliseText(bytes));
  } catch {
    return sha256(bytes);
  }
}

export interface LocalChanges {
  changed: string[];
  deleted: string[];
  /** Your own files, and files the starter added since its last release. */
  added: string[];
}

/** Compares the tree with the version in its manifest. */
export function findLocalChanges(tree: Tree, { files }: Manifest): LocalChanges {
  const current = manifestOf(tree, "").files;
  const names = Object.keys(files);
  return {
    changed: names.filter((name) => name in current && current[name] !== files[name]),
    deleted: names.filter((name) => !(name in current)),
    added: Object.keys(current).filter((name) => !(name in files)),
  };
}
