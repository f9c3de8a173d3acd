import type { Tree } from "../../scripts/starter/tree";

/** A version of a project that has only these files. */
export const memoryTree = (files: Record<string, string>): Tree => ({
  name: "memory",
  read: (file) => (file in files ? Buffer.from(files[file] ?? "") : null),
  list: () => Object.keys(files).sort(),
});
