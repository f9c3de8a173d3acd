import { gzipSync } from "node:zlib";
import { withBareApp } from "./bare-app";
import { type Bench, type Figure, spreadOf } from "./bench";
import { compareRates } from "./load";
import { signUp, startOurs } from "./our-server";
import type { ServingProcess } from "./serving-process";
import { uploadUrls } from "./upload-urls";

export const SIGNED_OUT = ["/en", "/en/pricing", "/en/sign-in"];
export const SIGNED_IN = [
  "/en/account",
  "/en/account/credits",
  "/en/files",
  "/en/demo/image-generator",
];
export const JSON_SIGNED_IN = ["/api/account/credits"];
export const JSON_SIGNED_OUT = ["/api/openapi.json", "/healthz"];
/** The pages that work with a script; all others should have none. */
const SCRIPTED = ["/en/files", "/en/demo/image-generator"];

/** Compares pages, JSON routes and script sizes with those of a bare Remix app. */
export const pagesBench: Bench = {
  summary: "pages, JSON routes and their script, compared with a bare app under @remix-run/serve",
  run: ({ server, scaled, onProgress }) =>
    withBareApp(async (bareApp) => {
      const url = await server.createDatabase();
      const [ours, bare] = [await startOurs(url), await bareApp.start(url)];
      const seconds = scaled(3_000, 500) / 1000;
      try {
        const cookie = await signUp(ours);
        const compare = async (
          path: string,
          against: "/" | "/json",
          goal: Figure["goal"],
          headers: Record<string, string>,
        ): Promise<Figure> => {
          onProgress(path);
          const measured = { url: ours.url + path, headers };
          const rates = await compareRates(measured, { url: bare.url + against, headers }, seconds);
          const name = against === "/" ? "a bare page" : "a bare JSON route";
          return { what: path, against: name, unit: "/s", goal, ...rates };
        };
        const figures: Figure[] = [];
        for (const path of SIGNED_OUT) figures.push(await compare(path, "/", { atLeast: 8 }, {}));
        for (const path of SIGNED_IN)
          figures.push(await compare(path, "/", { atLeast: 0.5 }, { Cookie: cookie }));
        for (const path of JSON_SIGNED_IN)
          figures.push(await compare(path, "/json", { atLeast: 0.5 }, { Cookie: cookie }));
        figures.push(await uploadUrls({ databaseUrl: url, ours, bare, seconds, onProgress }));
        for (const path of JSON_SIGNED_OUT) figures.push(await compare(path, "/json", null, {}));
        const bareScript = await scriptBytes(bare, "/", {});
        for (const path of [...SIGNED_OUT, ...SIGNED_IN]) {
          const bytes = await scriptBytes(ours, path, { Cookie: cookie });
          figures.push(scriptFigure(path, bytes, bareScript));
        }
        return figures;
      } finally {
        await Promise.all([ours.stop(), bare.stop()]);
      }
    }),
};

/** A page's script has a goal in bytes, not as a ratio: 110 kB where one is needed, none elsewhere. */
function scriptFigure(path: string, bytes: number, bare: number): Figure {
  const most = SCRIPTED.includes(path) ? 110_000 : 0;
  return {
    what: `script of ${path}, at most ${most / 1000} kB`,
    against: "the bare page",
    unit: "kB",
    measured: spreadOf([bytes / 1000]),
    reference: spreadOf([bare / 1000]),
    ratio: bytes / bare,
    goal: { atMost: most / bare },
  };
}

/** Bytes of script that a page loads, compressed with gzip: what its tags and preloads name. */
async function scriptBytes(
  { url }: ServingProcess,
  path: string,
  headers: Record<string, string>,
): Promise<number> {
  const html = await (await fetch(url + path, { headers })).text();
  const named = html.matchAll(/["'](\/assets\/[^"']+\.js)["']/g);
  const paths = new Set([...named].map(([, name = ""]) => name));
  // The manifest lists the modules of every route; a page loads only what it preloads and imports.
  const loaded = [...paths].filter(
    (name) =>
      html.includes(`href="${name}"`) ||
      html.includes(`import "${name}"`) ||
      new RegExp(`(?:src="|from ")${name}"`).test(html),
  );
  let total = 0;
  for (const name of loaded)
    total += gzipSync(Buffer.from(await (await fetch(url + name)).arrayBuffer())).length;
  return total;
}
