import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

const SUFFIX = ".worker.mjs?file";

/**
 * Gives the URL of a worker's file to the module that imports it with `?file`. The build makes a file
 * beside its own of it, with all it imports; development and tests run it where it stands.
 */
export function workerFiles(): Plugin {
  let isBuild = false;
  return {
    name: "worker-files",
    enforce: "pre",
    configResolved: ({ command }) => {
      isBuild = command === "build";
    },
    load(id) {
      if (!id.endsWith(SUFFIX)) return null;
      const file = id.slice(0, -"?file".length);
      if (!isBuild) return `export default ${JSON.stringify(pathToFileURL(file).href)};`;
      const reference = this.emitFile({ type: "chunk", id: file, fileName: basename(file) });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
  };
}
