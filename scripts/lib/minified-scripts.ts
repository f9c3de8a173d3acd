import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Plugin, transformWithEsbuild } from "vite";

/**
 * Minifies the plain scripts of `public/` in the browser's build, where Vite copies them as they are.
 * The longest is half comments and names.
 */
export function minifiedScripts(): Plugin {
  let publicDir = "";
  return {
    name: "minified-scripts",
    apply: "build",
    configResolved(config) {
      publicDir = config.build.ssr ? "" : config.publicDir;
    },
    async writeBundle({ dir }) {
      if (!publicDir || !dir) return;
      for (const name of await readdir(publicDir)) {
        if (path.extname(name) !== ".js") continue;
        const source = await readFile(path.join(publicDir, name), "utf8");
        const { code } = await transformWithEsbuild(source, name, {
          minify: true,
          sourcemap: false,
        });
        await writeFile(path.join(dir, name), code);
      }
    },
  };
}
