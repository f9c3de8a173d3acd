import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runCommand } from "../lib/command";
import { parseChangelog } from "./changelog";
import { checkVersion, installedVersion } from "./checks/check-version";
import { MANIFEST_FILE, manifestOf, readManifest, renderManifest } from "./manifest";
import { CHECKSUMS_FILE, recordChecksums } from "./migration-checksums";
import { folderTree, readTextOf } from "./tree";

await runCommand({
  name: "starter:release",
  usage: `For publishers of the starter: writes ${MANIFEST_FILE} for the version in package.json. With it,
every copy can tell its own changes. Set the version (npm version --no-git-tag-version) and
its heading in CHANGELOG.md first; commit, and tag the commit v<version>.`,
  options: {
    again: {
      type: "boolean",
      help: "replace this version's manifest; forgets later changes",
    },
  },
  async run({ values, print, warn }) {
    const tree = folderTree(".");
    const version = installedVersion(tree);
    const { status, lines } = checkVersion(tree, { version });
    if (status === "fail") throw new Error(lines.join("; "));
    const { unreleased } = parseChangelog(readTextOf(tree, "CHANGELOG.md") ?? "");
    if (unreleased)
      warn(`warning: CHANGELOG.md has entries under Unreleased: are they of ${version}?`);

    const old = tree.read(MANIFEST_FILE) ? readManifest(tree) : null;
    // In a copy of the starter, this would record the owner's changes as the starter's own.
    if (old?.version === version && !values.again) {
      throw new Error(`there is a manifest of ${version} already: set the new version first`);
    }
    mkdirSync(path.dirname(CHECKSUMS_FILE), { recursive: true });
    writeFileSync(CHECKSUMS_FILE, recordChecksums(tree, old ?? { version, files: {} }).text);
    const manifest = manifestOf(tree, version);
    mkdirSync(path.dirname(MANIFEST_FILE), { recursive: true });
    writeFileSync(MANIFEST_FILE, renderManifest(manifest));
    const count = Object.keys(manifest.files).length;
    print(`wrote ${MANIFEST_FILE}: ${count} files of ${version}. Commit it, and tag v${version}`);
    return 0;
  },
});
