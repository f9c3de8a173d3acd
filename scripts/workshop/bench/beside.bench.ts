import type { Bench, Figure } from "./bench";
import { compareRates } from "./load";
import { signUp, startOurs } from "./our-server";
import { JSON_SIGNED_IN, JSON_SIGNED_OUT, SIGNED_IN, SIGNED_OUT } from "./pages.bench";

/** Compares pages and JSON routes with those of another build of the project, say that of the commit before. */
export const besideBench: Bench = {
  summary: "pages and JSON routes, compared with another build's, whose folder --beside names",
  async run({ server, scaled, beside, onProgress }) {
    if (!beside) throw new Error("--beside names no folder");
    const url = await server.createDatabase();
    const [ours, other] = [await startOurs(url), await startOurs(url, { folder: beside })];
    const seconds = scaled(3_000, 500) / 1000;
    try {
      const [cookie, otherCookie] = [await signUp(ours), await signUp(other)];
      const pages = [
        ...[...SIGNED_OUT, ...JSON_SIGNED_OUT].map((path) => [path, {}, {}] as const),
        ...[...SIGNED_IN, ...JSON_SIGNED_IN].map(
          (path) => [path, { Cookie: cookie }, { Cookie: otherCookie }] as const,
        ),
      ];
      const figures: Figure[] = [];
      for (const [path, headers, otherHeaders] of pages) {
        onProgress(path);
        const rates = await compareRates(
          { url: ours.url + path, headers },
          { url: other.url + path, headers: otherHeaders },
          seconds,
        );
        figures.push({ what: path, against: "there", unit: "/s", goal: null, ...rates });
      }
      return figures;
    } finally {
      await Promise.all([ours.stop(), other.stop()]);
    }
  },
};
