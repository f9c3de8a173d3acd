import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "vite";

const BEGINNING = /^window\.__(?:remix|reactRouter)Manifest=/;

interface ManifestRoute {
  module: string;
  imports: string[];
}

interface BrowserManifest {
  routes: Record<string, ManifestRoute>;
}

/**
 * Returns the manifest without what browsers never use: routes without a page, since every link to one loads a
 * document, and the imports of pages that are not `interactive`, which would only be preloaded.
 */
export function shrinkManifest<Manifest extends BrowserManifest>(
  manifest: Manifest,
  { interactive, hasPage }: { interactive: string[]; hasPage: (module: string) => boolean },
): Manifest {
  const routes = Object.entries(manifest.routes)
    .filter(([, route]) => hasPage(route.module))
    .map(([id, route]) => [id, interactive.includes(id) ? route : { ...route, imports: [] }]);
  return { ...manifest, routes: Object.fromEntries(routes) };
}

/** Shrinks the manifest that the framework writes for browsers, with the server's build. */
export function smallManifest(interactive: string[]): Plugin {
  let isServer = false;
  return {
    name: "small-manifest",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      isServer = Boolean(config.build.ssr);
    },
    async writeBundle({ dir }) {
      if (!isServer || !dir) return;
      const client = path.join(dir, "..", "client");
      const assets = path.join(client, "assets");
      const names = (await readdir(assets)).filter((name) => /^manifest-\w+\.js$/.test(name));
      const [name] = names;
      if (!name || names.length > 1) throw new Error(`${names.length} manifests are in ${assets}`);
      const file = path.join(assets, name);
      const script = (await readFile(file, "utf8")).trim().replace(/;$/, "");
      const [beginning] = BEGINNING.exec(script) ?? [];
      if (!beginning) throw new Error(`${file} is no manifest of routes`);
      const manifest = JSON.parse(script.slice(beginning.length)) as BrowserManifest;
      const filled = new Set<string>();
      for (const { module } of Object.values(manifest.routes)) {
        const source = await readFile(path.join(client, module), "utf8");
        if (source.trim() !== "") filled.add(module);
      }
      const small = shrinkManifest(manifest, {
        interactive,
        hasPage: (module) => filled.has(module),
      });
      await writeFile(file, `${beginning}${JSON.stringify(small)};`);
    },
  };
}
