import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

/** Kinds of files that get smaller. Pictures and fonts are compressed already. */
const COMPRESSIBLE = new Set([".css", ".js", ".json", ".svg", ".txt"]);
/** Bytes. A smaller file fits into one packet as it is. */
const LEAST_BYTES = 1_024;

const COMPRESSIONS = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gz: (content: Buffer) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/**
 * Writes a `.br` and a `.gz` beside each file of the browser's build, so that the server compresses none of
 * them for each request: the largest script takes 12 ms of the processor.
 */
export function compressedFiles(folder: string): Plugin {
  return { name: "compressed-files", writeBundle: () => compressFiles(folder) };
}

/** Compresses the files below `folder`; those of an earlier build are replaced, or removed. */
export async function compressFiles(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names
      .filter((name) => COMPRESSIBLE.has(path.extname(name)))
      .map(async (name) => {
        const file = path.join(folder, name);
        const content = await readFile(file);
        for (const [extension, compress] of Object.entries(COMPRESSIONS)) {
          const compressed = content.length < LEAST_BYTES ? content : await compress(content);
          if (compressed.length < content.length)
            await writeFile(`${file}.${extension}`, compressed);
          else await rm(`${file}.${extension}`, { force: true });
        }
      }),
  );
}
