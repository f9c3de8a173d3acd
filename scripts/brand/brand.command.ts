import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ShareImage } from "~/public-pages";
import { runCommand } from "../lib/command";
import { drawFavicon, drawIcon } from "./icons";
import { drawShareImage, SAMPLES } from "./share-image";

const ICON_SIZES = [180, 192, 512];
const SHARE_IMAGES = ["home", "pricing", "page"] as const;

await runCommand({
  name: "brand",
  usage: `Draws the files that stand for the site elsewhere: icons and the pictures of shared links.
Reads public/favicon.svg, public/samples/ and app/catalog.ts; writes public/favicon.ico, public/icons/
and public/og/. Run it after a change of name, mark or packs.`,
  options: {
    "no-samples": {
      type: "boolean",
      help: "without pictures of what is made, for a shop without images",
    },
  },
  async run({ values, print }) {
    const mark = await readFile("public/favicon.svg", "utf8");
    const write = async (file: string, bytes: Buffer) => {
      const target = path.join("public", file);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, bytes);
      print(`${target} (${Math.ceil(bytes.length / 1024)} KiB)`);
    };
    await write("favicon.ico", await drawFavicon(mark));
    for (const size of ICON_SIZES) await write(`icons/${size}.png`, await drawIcon(mark, size));
    const samplesFor = (image: ShareImage) => (values["no-samples"] ? [] : SAMPLES[image]);
    for (const image of SHARE_IMAGES) {
      await write(`og/${image}.png`, await drawShareImage(image, mark, samplesFor(image)));
    }
    return 0;
  },
});
