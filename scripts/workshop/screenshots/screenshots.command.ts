import { LOCALES } from "~/i18n/locale";
import { listPages } from "../../../tests/helpers/story/pages";
import { runCommand, UsageError } from "../../lib/command";
import { buildIfStale } from "../../test/build-if-stale";
import { ensureChromium } from "../../test/ensure-chromium";
import { withSite } from "./site";
import { openBrowser, photograph, photographForReadme, THEMES } from "./take";

const WIDTHS = ["390", "820", "1280"] as const;
const README_FOLDER = "docs/images";

await runCommand({
  name: "screenshots",
  usage: `Photographs every page in both themes, all languages and three widths, on the production build with a
database and stand-ins of its own: a busy account, a new one, and nobody. Needs Chromium. The lists of the
options are separated by commas: --pages home,pricing --widths 390`,
  options: {
    pages: { type: "string", value: "names", help: "these pages only" },
    themes: { type: "string", value: "names", help: `some of ${THEMES.join(", ")}` },
    languages: { type: "string", value: "codes", help: `some of ${LOCALES.join(", ")}` },
    widths: { type: "string", value: "pixels", help: `some of ${WIDTHS.join(", ")}` },
    out: { type: "string", value: "folder", default: "screenshots", help: "where to put them" },
    readme: { type: "boolean", help: `only the three of the README, into ${README_FOLDER}` },
  },
  async run({ values, print, warn }) {
    const themes = pick("themes", values.themes, THEMES);
    const languages = pick("languages", values.languages, LOCALES);
    const widths = pick("widths", values.widths, WIDTHS);
    const chromium = ensureChromium();
    buildIfStale();
    return withSite(warn, async (site) => {
      const all = listPages(site.seeded);
      const names = pick(
        "pages",
        values.pages,
        all.map(({ name }) => name),
      );
      const pages = all.filter(({ name }) => names.includes(name));
      const browser = await openBrowser(chromium);
      try {
        if (values.readme) {
          const folder = README_FOLDER;
          const files = await photographForReadme({ site, browser }, { pages: all, folder });
          for (const file of files) print(file);
          return 0;
        }
        let count = 0;
        for (const language of languages) {
          for (const theme of themes) {
            for (const width of widths) {
              const view = { theme, language, width: Number(width) };
              count += await photograph({ site, browser }, { pages, view, folder: values.out });
              warn(`${language}, ${theme}, ${width} px`);
            }
          }
        }
        print(`${count} screenshots in ${values.out}/`);
        return 0;
      } finally {
        await browser.close();
      }
    });
  },
});

/** Returns the listed values, or all of them. Throws for one that there isn't. */
function pick<T extends string>(option: string, list: string | undefined, all: readonly T[]): T[] {
  if (list === undefined) return [...all];
  return list.split(",").map((name) => {
    const found = all.find((value) => value === name.trim());
    if (found === undefined) {
      throw new UsageError(`--${option}: "${name}" is none of ${all.join(", ")}`);
    }
    return found;
  });
}
